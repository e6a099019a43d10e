// Enumerations of the schema whose members options name, with the numbers that files store.

/// The padding rule of the model format.
package enum WindowPadding: Int, Sendable, Hashable {
  /// As many outputs as there are strides in the input; missing input counts as zero, the odd element behind.
  case same = 0
  /// Only windows that lie inside the input.
  case valid = 1
}

/// The activation that the model format fuses into an operator's output.
package enum FusedActivation: Int, Sendable, Hashable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5
}

/// How the weights of a fully connected layer lie.
package enum FullyConnectedWeightsFormat: Int, Sendable, Hashable {
  case standard = 0
  case shuffled4x16Int8 = 1
}

/// Which long short-term memory LSTM is.
package enum LSTMKernel: Int, Sendable, Hashable {
  case full = 0
  case basic = 1
}

/// What LSH_PROJECTION gives.
package enum LSHProjectionKind: Int, Sendable, Hashable {
  case unknown = 0
  case sparse = 1
  case dense = 2
}

/// How EMBEDDING_LOOKUP_SPARSE combines rows.
package enum EmbeddingCombiner: Int, Sendable, Hashable {
  case sum = 0
  case mean = 1
  case squareRootN = 2
}

/// Whether MIRROR_PAD repeats the border element.
package enum MirrorPadMode: Int, Sendable, Hashable {
  case reflect = 0
  case symmetric = 1
}

/// The generator of random bits.
package enum RandomAlgorithm: Int, Sendable, Hashable {
  case unspecified = 0
  case philox = 1
  case threeFry = 2
}

/// What REDUCE_WINDOW makes of a window.
package enum ReduceWindowFunction: Int, Sendable, Hashable {
  case unsupported = 0
  case add = 1
  case multiply = 2
  case minimum = 3
  case maximum = 4
  case all = 5
  case any = 6
}
