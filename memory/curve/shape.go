package curve

import "sort"

// A Point is a latency at a load.
type Point struct {
	Load float64 // of the peak bandwidth, 0 to 1
	NS   float64 // latency in ns
}

// A Line is the curve for one share of reads.
type Line struct {
	Reads  float64 // share of the bytes that are read, 0 to 1
	Points []Point // Load rises, NS does not fall
}

// A Shape is a family of curves.
type Shape struct {
	Name, Doc, Source string
	Peak              float64 // of the pins, GB/s (10^9): load 1
	Lines             []Line
}

// shapeNames lists the names.
func shapeNames() []string {
	var out []string
	for _, s := range shapes {
		out = append(out, s.Name)
	}
	return out
}

func findShape(name string) (Shape, bool) {
	for _, s := range shapes {
		if s.Name == name {
			return s, true
		}
	}
	return Shape{}, false
}

// mess is a note on where the figures are from.
const mess = "Mess benchmark (MICRO 2024), published with the Mess simulator: memory_curve/"

// shapes holds points in GB/s and ns until the init below divides by the peak.
// They are a selection of the published ones, without the part that bends back.
var shapes = []Shape{
	{
		Name:   "cxl_expander",
		Doc:    "CXL memory expander, manufacturer's model, from the pins of the host.",
		Source: mess + "cxl, 90 % and 58 % reads",
		// assumption: the theoretical peak is not published; the largest measured bandwidth is
		// used
		Peak: 43.65,
		Lines: []Line{
			{0.58, []Point{{0, 107.4}, {18.280, 118.167}, {22.061, 121.121}, {25.588, 124.147}, {29.076, 127.614}, {31.982, 131.202}, {35.533, 136.639}, {37.621, 141.310}, {39.971, 148.127}, {42.634, 165.899}, {43.647, 370.154}}},
			{0.90, []Point{{0, 107.4}, {6.399, 108.868}, {12.797, 110.839}, {18.280, 113.573}, {21.325, 115.407}, {23.694, 117.678}, {25.588, 120.606}, {26.654, 123.238}, {27.812, 127.286}, {29.076, 139.612}, {29.496, 577.0}}},
		},
	},
	{
		Name:   "ddr4_3200_icelake",
		Doc:    "Sixteen channels of DDR4-3200 on two sockets of Intel Ice Lake, each core reading its own socket; reads only.",
		Source: "Intel Memory Latency Checker 3.10, loaded latencies, info/icelake_mlc.txt in github.com/gjbex/Code-optimization",
		// assumption: the report does not name the modules; eight channels of
		// DDR4-3200 per socket are what the processor takes
		Peak: 409.6, // 16 x 3200 MT/s x 8 B
		Lines: []Line{
			{1.00, []Point{{2.867, 91.23}, {5.484, 92.56}, {9.247, 93.89}, {17.572, 94.09}, {25.179, 94.76}, {41.144, 95.63}, {77.827, 98.46}, {123.303, 102.11}, {173.693, 109.56}, {297.201, 153.80}, {327.724, 184.82}, {350.234, 243.81}, {351.725, 259.87}}},
		},
	},
	{
		Name:   "ddr5_4800_graviton3",
		Doc:    "Eight channels of DDR5-4800 on Amazon Graviton 3, from a core.",
		Source: mess + "graviton3-ddr5, 100 % and 58 % reads",
		Peak:   307.2, // 8 x 4800 MT/s x 8 B
		Lines: []Line{
			{0.58, []Point{{2.481, 98.388}, {32.158, 104.136}, {66.097, 110.759}, {99.708, 116.506}, {118.490, 124.070}, {138.241, 136.044}, {156.974, 150.009}, {173.617, 165.179}, {190.639, 182.259}, {205.444, 201.508}, {216.952, 220.526}, {224.944, 238.207}, {231.750, 263.724}, {238.285, 288.856}, {242.833, 324.124}, {246.185, 366.395}, {250.548, 465.288}}},
			{1.00, []Point{{1.452, 98.002}, {49.172, 101.479}, {103.634, 106.367}, {121.451, 108.666}, {142.676, 112.597}, {165.021, 117.667}, {186.692, 123.568}, {205.735, 129.471}, {219.741, 134.748}, {231.262, 140.151}, {240.759, 146.495}, {252.686, 160.039}, {263.332, 175.384}, {271.314, 188.836}, {277.264, 213.175}, {282.431, 241.340}, {284.524, 282.414}}},
		},
	},
	{
		Name:   "hbm2_a64fx",
		Doc:    "Four stacks of HBM2 on Fujitsu A64FX, from a core.",
		Source: mess + "a64fx-hbm2, 100 % and 54 % reads",
		Peak:   1024, // 4 x 256 GB/s
		Lines: []Line{
			{0.54, []Point{{0.675, 112.117}, {65.207, 116.945}, {144.581, 121.387}, {212.596, 125.861}, {309.731, 133.340}, {378.993, 138.830}, {426.698, 142.864}, {487.977, 153.811}, {570.092, 173.087}, {622.350, 190.363}, {685.040, 215.330}, {761.464, 246.310}, {805.804, 265.923}, {845.266, 290.683}, {852.215, 336.302}, {865.639, 385.218}, {875.408, 387.3}}},
			{1.00, []Point{{0.365, 111.938}, {38.793, 114.582}, {101.677, 116.677}, {204.191, 118.558}, {307.337, 120.509}, {369.635, 123.063}, {435.921, 125.546}, {495.117, 128.260}, {572.866, 132.028}, {621.672, 138.848}, {679.514, 143.678}, {749.036, 150.494}, {833.892, 157.166}, {928.476, 181.155}, {935.274, 307.015}, {942.607, 311.428}}},
		},
	},
}

func init() {
	sort.Slice(shapes, func(i, j int) bool { return shapes[i].Name < shapes[j].Name })
	for _, s := range shapes {
		for _, l := range s.Lines {
			for i := range l.Points {
				l.Points[i].Load /= s.Peak
			}
		}
	}
}
