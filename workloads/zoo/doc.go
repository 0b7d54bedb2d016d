// Package zoo generates the graphs of well-known networks.
//
// A model is a function from Params to a graph.Graph; All names them. Layers
// have the names of the papers' figures or of the common short form: conv1,
// res3_0_b, L11.ff1, down0.attn1.ff.out. The graphs hold every operator of an
// inference: matrix work, biases, norms, activations, poolings, residual sums,
// softmax, embeddings, rotary positions, concatenations, resizes, and what goes
// into and out of the key/value cache.
//
//	g, err := zoo.Build("llama3_8b", zoo.Params{Batch: 8, Phase: "decode", Context: 2048})
//
// Decoder and GPT describe other language models; Encoder, Vision and T5 describe encoders and
// translators. The reader of model-hub configurations uses them:
//
//	d := zoo.Decoder{Name: "mistral_7b", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 32000, Window: 4096}
//	g, err := d.Graph(zoo.Params{Phase: "decode", Context: 8192})
//
// Blocks of a Decoder give layers another mixer than attention, or one of their two parts alone:
// StateSpace, DeltaRule and Compressed each are a file, and the reader of a family says which layers
// have them.
//
// # Prefill and decode
//
// Decoder models have a phase. Prefill runs sequence tokens per request and fills their cache
// entries; with a context longer than the sequence the other entries exist already (chunked
// prefill). Decode runs one token per request. Context counts the entries that attention reads,
// including the new tokens, so decode with context c is the last token of a prefill of c.
//
// A linear layer is one product with batch x tokens rows. Attention is a batched product, one per
// request and head; with grouped queries SharedB is the number of heads per key/value head. An
// unknown name and a size that the model does not have are errors of Build; Check returns all
// errors of a description.
//
// # Left out
//
// Dropout and everything else that only training needs. Causal masks: the full
// score matrix is computed and counted, as in the usual FLOP tables. The scale
// of the scores is folded into the query weights. Language models compute the
// logits of every token, and no sampling. Tokenizers, VAE and text encoder of
// Stable Diffusion. AlexNet and VGG16 take no image size: their classifiers fix
// it.
//
// Tables from tokens to experts (first layers of DeepSeek-V4). The norm of queries and keys without weights of Llama 4, layers that predict further
// tokens (DeepSeek-V3), multipliers of embeddings and residuals that are folded into
// weights (Granite).
//
// # Deviations
//
//  1. Batch norms have folded statistics: two weights per channel, the count of
//     the trainable parameters.
//  2. GPT-3 alternates dense and locally banded attention (Brown et al. 2020,
//     section 2.1); every layer is dense here, since the band is not published.
//  3. The bias of DeepSeek-V3's router, 256 values per layer, is not counted.
//  4. Attention to chosen entries (Indexer, BlockIndexer, Compressed) makes each token a request of
//     its own: its entries are unlike those of its neighbours.
//  5. LLaMA contexts go up to 131072 positions, past the trained 4096 and 8192:
//     rotary positions need no table, and the cost is well defined.
//
// # Sources
//
// Each model's registry entry names its paper or model card. The tables in
// configs/studies/layers/tables were derived from these sources and checked against the published
// parameter totals; tests compare each row.
package zoo
