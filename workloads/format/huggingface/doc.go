// Package huggingface reads the config.json files of models on model hubs. Import it to register
// the format in format.All; format.Open then reads such files. See ExampleOptions.
//
// The key model_type, or else architectures, selects the family: decoders from GPT-2, LLaMA,
// Mistral and Qwen to Gemma, Phi and DeepSeek, mixtures of experts, hybrids with state spaces or a
// delta rule, encoders such as BERT and ViT, and T5 (hubFamilies lists them). models.jsonl has the
// configurations of published models, which format.BuildModel finds by their path on the hub. The model descriptions of serving simulators, which use the
// same keys, are read too. A configuration becomes a graph of workloads/zoo (Decoder, GPT, ...) at
// Batch, Sequence, Context and Phase, which count requests and tokens. Sizes of layers and
// vocabulary are required; other keys have the defaults of the type's configuration class. An
// unknown model_type is an error.
//
// # Left out
//
// The vision and audio parts of a model: only its text part runs, and a note of the graph
// says so.
//
// # Source
//
// config.json of the published checkpoints and the configuration classes of the transformers
// library.
//
// # Deviations
//
//  1. Where only some layers of a language model have a sliding window (Gemma 2, Qwen), a
//     context beyond the window is refused.
package huggingface
