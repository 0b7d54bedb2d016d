// Package prefetch finds the lines that a cache is going to be asked for.
//
// A Rule is told of every access and says which lines it calls for; All holds the rules by name. A
// Prefetcher is what a cache has of one. Package cache decides what becomes of a line that is called for: it
// is fetched, or it is there or under way already, or it is dropped.
//
//	next_line  the lines after one that missed (Smith 1982, tagged prefetch)
//	tile       the lines as far ahead of it as the request is long
//	stream     the lines of a page that reads go through, up or down (Intel's streamer)
//	stride     the lines at the distance that two reads of a stream in a row had (Fu et al. 1992)
//	spp        the lines that followed the same deltas in other pages (Kim et al., MICRO 2016)
//	bingo      the lines of a region that were used after the same event (Bakhshalipour et al., HPCA 2019)
//	berti      the lines at distances that were asked for early enough (Navarro-Torres et al., MICRO 2022)
//	next_tile  the lines that the walk of a tensor comes to next (our own)
//
// stride, spp, bingo and berti look at reads only. Where ChampSim's programs and the artifacts of the papers
// are public, the lists of lines equal theirs, one by one and in order, on the traces of testdata/oracle.txt.
//
// # Streams
//
// Requests of a dataflow have no program counter. Access.Stream is the program counter where a trace has one
// (champsim, text and csv traces with pc), and else made of the requester and its tensor: see StreamOf.
//
// # Deviations
//
//  1. stride, spp, bingo and berti are those of their programs, one for all requesters of the cache; the
//     programs have one for each core.
//  2. A program that is sure of a line brings it into its cache, and one that it is less sure of into the
//     cache below. There is one cache here, and both come to it. spp marks in its filter, and counts for its
//     accuracy, only those that it is sure of, as the program does.
//  3. ChampSim's stride prefetcher issues a line in a cycle and starts anew with the next read. All lines of a
//     read are called for at once here, which is the same where reads are as many cycles apart.
//  4. spp looks at candidates of earlier steps again from the new place, and calls for the line of the access
//     itself where a signature is known and no delta of it is likely, as ChampSim's program does. The cache has
//     these lines or they are under way.
//  5. berti's program keeps one stream more than its table has (table: 17 equals it). It finds the time of a
//     line in a table by address that entries without a miss stay in; here such an entry is free.
//  6. Lines that a flush or a cache above or below takes away are no evictions to a rule.
//
// # Sources
//
// Smith, Cache memories, ACM Computing Surveys 1982. Fu, Patel and Janssens, Stride directed prefetching in
// scalar processors, MICRO 1992, with the table of ChampSim's ip_stride. Kim et al., Path confidence based
// lookahead prefetching, MICRO 2016, with the parameters of ChampSim's spp_dev. Bakhshalipour et al., Bingo
// spatial data prefetcher, HPCA 2019, with those of the authors' bingo. Navarro-Torres et al., Berti: an
// accurate local-delta data prefetcher, MICRO 2022, with those of the artifact's vberti.
package prefetch
