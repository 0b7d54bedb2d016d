package draw

import (
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// A PDF has no time of its own: it holds the bytes that its figure makes, whenever it is drawn.
func init() {
	none := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(none)
	fpdf.SetDefaultModificationDate(none)
	fpdf.SetDefaultCatalogSort(true)
}
