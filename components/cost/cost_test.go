package cost

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
)

// Reference: Hennessy and Patterson, Computer Architecture, 5th edition, section 1.6, examples: dies
// of 1.5 and 1.0 cm a side on a wafer of 30 cm; 0.031 defects per cm2, N = 13.5 (quoted from memory).
func TestDiesPerWaferOfTheTextbook(t *testing.T) {
	for area, want := range map[float64][2]float64{225: {270, 0.40}, 100: {640, 0.66}} {
		n, err := diesPerWafer(area, 300, 0)
		require.NoError(t, err)
		require.InDelta(t, want[0], n, 1, "%g mm2", area) // the book rounds, we cut
		y := YieldName{named.Choice{Name: "bose_einstein"}}.New()(area)
		require.InDelta(t, want[1], y, 0.005, "%g mm2", area)
	}
	_, err := diesPerWafer(40000, 300, 0)
	require.ErrorContains(t, err, "no die of 4e+04 mm2 fits on a wafer of 300 mm")
}

// Reference: Patterson and Hennessy, Computer Organization and Design, 5th edition, exercise 1.10: a
// wafer of 15 cm for 12 with 84 dies and 0.020 defects per cm2, one of 20 cm for 15 with 100 dies and
// 0.031. Published answers: yields 0.959 and 0.909, 0.148 and 0.165 a die. Their yield is the
// negative binomial with c = 2.
func TestYieldAndPriceOfTheExercise(t *testing.T) {
	for _, x := range []struct{ diameter, price, dies, defects, yield, die float64 }{
		{150, 12, 84, 0.020, 0.959, 0.148}, {200, 15, 100, 0.031, 0.909, 0.165},
	} {
		area := math.Pi * x.diameter * x.diameter / 4 / x.dies
		y := YieldName{named.Choice{Name: "negative_binomial", Spec: clustered{x.defects, 2}}}.New()(area)
		require.InDelta(t, x.yield, y, 0.0006)
		require.InEpsilon(t, x.die, x.price/(x.dies*y), 0.008)
	}
}

// All models agree on few defects, and Poisson loses most.
func TestYieldsByHand(t *testing.T) {
	of := func(name string, spec any, mm2 float64) float64 {
		return YieldName{named.Choice{Name: name, Spec: spec}}.New()(mm2)
	}
	require.InDelta(t, math.Exp(-0.814), of("poisson", nil, 814), 1e-12)
	require.InDelta(t, math.Pow((1-math.Exp(-0.814))/0.814, 2), of("murphy", nil, 814), 1e-12)
	require.InDelta(t, 1/math.Pow(1.407, 2), of("negative_binomial", nil, 814), 1e-12)
	require.InDelta(t, of("poisson", nil, 814), of("negative_binomial", clustered{0.1, 1e7}, 814), 1e-6)
	require.Less(t, of("poisson", nil, 814), of("murphy", nil, 814))
	require.Equal(t, 0.875, of("fixed", nil, 814))
	require.Equal(t, 1.0, of("murphy", random{0}, 814))
	for _, e := range Yields.Entries() {
		if e.Name != "fixed" {
			require.InDelta(t, 1, of(e.Name, nil, 1e-6), 1e-4, e.Name)
		}
	}
}

// Reference: exps/fairphone3 of ACT's release, which the paper holds against a life cycle assessment:
// 28 nm, electricity of coal (820 g/kWh), gases 95 % destroyed, yield 0.875, 150 g a package. The
// formula gives 0.899 kg for the processor of 46.4 mm2 and 5.69 kg for 20 other circuits of 166.68
// mm2 together; the assessment has 1.07 and 5.3 kg.
func TestCarbonOfFairphone(t *testing.T) {
	coal, abatement := 820.0, 0.95
	chip := func(area float64) float64 {
		c := Chip{Name: "X", Process: "28nm", Yield: YieldName{named.Choice{Name: "fixed"}}, Fab: Fab{&coal, &abatement}}
		i, err := c.item(area)
		require.NoError(t, err)
		return i.SiliconCarbon / 1000
	}
	processor := chip(46.4) + 0.15
	require.InDelta(t, 0.8993, processor, 1e-4) // closed form: 0.464 x (820 x 0.9 + 175 + 500) / 0.875 + 150
	require.InEpsilon(t, 1.07, processor, 0.16)
	others := chip(166.68) + 20*0.15
	require.InDelta(t, 5.6916, others, 1e-3)
	require.InEpsilon(t, 5.3, others, 0.08)
}

// Reference: the default of ACT's release (logic_model.py: 14 nm, 97 %, Taiwan, yield 0.875):
// (583 x 1.2 + 162.5 + 500) / 0.875 = 1556.7 g/cm2.
func TestCarbonPerAreaByDefault(t *testing.T) {
	c := Chip{Process: "14nm", Yield: YieldName{named.Choice{Name: "fixed"}}}
	i, err := c.item(100)
	require.NoError(t, err)
	require.InDelta(t, 1556.6857, i.SiliconCarbon, 1e-3)
}

func TestBillAddsUp(t *testing.T) {
	price := 80.0
	s := Spec{Chips: []Chip{
		{Name: "Big", Area: 814, Process: "5nm", HBM: &HBM{Stacks: 5, Capacity: 16e9}, Count: 2},
		{Name: "Small", Area: 74, Process: "7nm", Package: Package{Price: &price}},
	}}
	b, err := s.Bill(func(c *Chip) (float64, error) { return float64(c.Area), nil })
	require.NoError(t, err)
	require.Equal(t, 63.0, b[0].Dies) // 86.8 by area, 23.4 along the rim
	require.InDelta(t, 16988/(63*b[0].Yield), b[0].Die, 1e-9)
	require.InDelta(t, 80*15, b[0].Memory, 1e-9)
	require.InDelta(t, b[0].Die/3, b[0].Package, 1e-9)
	require.Equal(t, 80.0, b[1].Package)
	require.InDelta(t, 2*b[0].Price()+b[1].Price(), b.Price(), 1e-9)
	require.InDelta(t, 2*b[0].Carbon()+b[1].Carbon(), b.Carbon(), 1e-9)
	require.Len(t, b.Assumptions(), 4)
	_, err = (&Spec{Chips: []Chip{{Name: "Huge", Area: 60000, Process: "5nm"}}}).Bill(func(c *Chip) (float64, error) { return float64(c.Area), nil })
	require.ErrorContains(t, err, "cost.chips.Huge: no die of 6e+04 mm2 fits")
}

const day = "hour,g_per_kwh\n0,100\n6,400\n18,200\n"

func TestIntensityOverTime(t *testing.T) {
	x, err := ReadIntensity("day.csv", strings.NewReader(day))
	require.NoError(t, err)
	require.Equal(t, 100.0, x.Mean(0, 0))
	require.Equal(t, 400.0, x.Mean(6, 0))
	require.Equal(t, 200.0, x.Mean(47, 0)) // days repeat
	require.InDelta(t, (6*100+12*400+6*200)/24.0, x.Mean(3, 24), 1e-12)
	require.InDelta(t, (6*100+12*400+6*200)/24.0, x.Mean(7.5, 240), 1e-9)
	require.InDelta(t, (2*100+2*400)/4.0, x.Mean(4, 4), 1e-12)
	require.InDelta(t, (2*200+3*100)/5.0, x.Mean(22, 5), 1e-12) // over midnight
	require.Equal(t, 400.0, x.Mean(7, 1e-12))                   // a run of nanoseconds
	require.Equal(t, 380.0, Constant(380).Mean(17, 1000))
	for text, want := range map[string]string{
		"hour,grams\n":                    "day.csv:1: columns are hour, grams (want hour, g_per_kwh)",
		"hour,g_per_kwh\n":                "day.csv: no hours",
		"hour,g_per_kwh\n1,3\n":           "day.csv:2: the first hour is 1 (want 0)",
		"hour,g_per_kwh\n0,3\n5,1\n5,2\n": "day.csv:4: hour 5 does not come after 5",
		"hour,g_per_kwh\n0,-3\n":          "day.csv:2: -3 g/kWh (want 0 to 100000)",
		"hour,g_per_kwh\n0,x\n":           "day.csv:2: 0, x are not two numbers",
		"hour,g_per_kwh\n0,1\nNaN,1\n":    "day.csv:3: hour NaN does not come after 0",
		"hour,g_per_kwh\n0,1\n1e9,1\n":    "day.csv:3: hour 1e+09 is too large",
		"hour,g_per_kwh\n0,1\n\"2\n":      "day.csv: ",
		"":                                "day.csv:1: columns are  (want hour, g_per_kwh)",
	} {
		_, err := ReadIntensity("day.csv", strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// The mean over any window against sums of minutes.
func TestMeanAgainstMinutes(t *testing.T) {
	x, err := ReadIntensity("day.csv", strings.NewReader(day+"30,50\n"))
	require.NoError(t, err)
	for start := 0; start < 3000; start += 77 {
		for minutes := 1; minutes < 4000; minutes += 613 {
			sum := 0.0
			for m := range minutes {
				sum += x.Mean(float64(start+m)/60+1e-9, 0)
			}
			require.InDelta(t, sum/float64(minutes), x.Mean(float64(start)/60, float64(minutes)/60), 1e-6)
		}
	}
}

func TestOperation(t *testing.T) {
	pue, years, half := 1.5, 4.0, 0.5
	g := Grid{PUE: &pue}
	require.InDelta(t, 1.5*380, g.Operational(Constant(380), 3.6e6, 10), 1e-9)
	_, ok := (&Spec{}).Share(10)
	require.False(t, ok)
	part, ok := (&Spec{Years: &years, Utilization: &half}).Share(2 * 365.25 * 24 * 3600)
	require.True(t, ok)
	require.InDelta(t, 1, part, 1e-12)
	require.Equal(t, units.Area(814), Chip{Area: 814}.Area)
}
