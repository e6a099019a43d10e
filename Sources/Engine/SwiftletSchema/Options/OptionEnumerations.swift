// The enumerations of the schema that options use, with the numbers stored in files.

/// The padding mode of the model format.
package enum WindowPadding: Int, Sendable, Hashable {
  /// SAME padding: the output size is the input size divided by the stride, rounded up. The input is padded with zeros,
  /// with the extra element at the end if the padding is odd.
  case same = 0
  /// VALID padding: only windows that are completely inside the input.
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

/// The memory layout of the weights of a fully connected layer.
package enum FullyConnectedWeightsFormat: Int, Sendable, Hashable {
  case standard = 0
  case shuffled4x16Int8 = 1
}

/// The variant of the LSTM operator.
package enum LSTMKernel: Int, Sendable, Hashable {
  case full = 0
  case basic = 1
}

/// The kind of output of LSH_PROJECTION.
package enum LSHProjectionKind: Int, Sendable, Hashable {
  case unknown = 0
  case sparse = 1
  case dense = 2
}

/// The method by which EMBEDDING_LOOKUP_SPARSE combines rows.
package enum EmbeddingCombiner: Int, Sendable, Hashable {
  case sum = 0
  case mean = 1
  case squareRootN = 2
}

/// The padding mode of MIRROR_PAD, which repeats the border element or not.
package enum MirrorPadMode: Int, Sendable, Hashable {
  case reflect = 0
  case symmetric = 1
}

/// The random number generator algorithm.
package enum RandomAlgorithm: Int, Sendable, Hashable {
  case unspecified = 0
  case philox = 1
  case threeFry = 2
}

/// The function that REDUCE_WINDOW applies to each window.
package enum ReduceWindowFunction: Int, Sendable, Hashable {
  case unsupported = 0
  case add = 1
  case multiply = 2
  case minimum = 3
  case maximum = 4
  case all = 5
  case any = 6
}
