import SwiftletEngine
import SwiftletSchema

/// A text model that passes its inputs on as its outputs, so that a test knows every number of them.
package struct WordModel: Sendable {
  /// The kind of input.
  package enum Input: Sendable {
    /// Token IDs of a regex tokenizer.
    case pattern(String?)
    /// Token IDs, a mask, and zeros: BERT's three inputs, each of them an output.
    case wordPieces
    /// Token IDs of a SentencePiece model.
    case sentencePiece
    /// Three inputs of SentencePiece token IDs.
    case sentencePieces
    /// Three inputs of token IDs of a regex tokenizer, which isn't valid for BERT.
    case patterns
    /// Token IDs without metadata about their tokenizer.
    case unexplained
    /// One string: the output contains the numbers of its first characters.
    case string
    /// Three strings, as the Universal Sentence Encoder accepts them, with one output each, as for one string.
    case sentenceEncoder
  }

  package var input: Input
  /// The number of token IDs per input.
  package var length: Int
  /// The vocabulary file, or `nil` if the model has none.
  package var vocabulary: String?
  /// The labels of the output's elements.
  package var labels: [String]?
  /// The number of the first output's elements that also have an output of their own.
  package var extraOutputs = 0
  package var inputNames: [String]?
  /// The number of subgraphs besides the main one.
  package var extraSubgraphs = 0
  package var hasMetadata = true
  /// Whether the model contains the files that its metadata refers to.
  package var hasFiles = true
  /// Whether the lengths of BERT's inputs are dynamic.
  package var hasOpenLength = false
  /// The number of inputs with dynamic length, if not all.
  package var openInputCount: Int?
  /// The number of rows of a table in the model that is indexed with every token ID.
  package var tableSize: Int?

  package init(_ input: Input, length: Int = 8, vocabulary: String? = nil, labels: [String]? = nil) {
    self.input = input
    self.length = length
    self.vocabulary = vocabulary
    self.labels = labels
  }

  /// The number of characters of a string in the output, including those before and after the text.
  package static let stringLength = 6

  package var bytes: [UInt8] {
    var graph = TestGraph()
    switch input {
    case .string: addString(&graph)
    case .sentenceEncoder: for _ in 0..<3 { addString(&graph) }
    case .wordPieces, .sentencePieces, .patterns:
      for index in 0..<3 { addNumbers(&graph, isOpen: hasOpenLength && index < openInputCount ?? 3) }
    case .pattern, .sentencePiece, .unexplained: addNumbers(&graph)
    }
    let graphs = [graph] + [TestGraph](repeating: .binary(.add), count: extraSubgraphs)
    guard hasMetadata else { return TestGraph.bytes(graphs) }
    let model = TestGraph.bytes(
      graphs, metadata: FlatValue.file(root: [3: .tables([metadata])], identifier: "M001"))
    guard hasFiles, !files.isEmpty else { return model }
    var archive = RawArchive(files)
    archive.prefix = model
    return archive.bytes
  }

  /// The files that its metadata refers to.
  package var files: [RawArchive.Member] {
    var files: [RawArchive.Member] = []
    if let vocabulary { files.append(.init("vocab.txt", Array(vocabulary.utf8))) }
    if let labels { files.append(.init("labels.txt", Array((labels.joined(separator: "\n") + "\n").utf8))) }
    return files
  }

  private func addNumbers(_ graph: inout TestGraph, isOpen: Bool = false) {
    var numbers = graph.input(.int32, [1, length])
    if isOpen { graph.leaveOpen(numbers, [1, -1]) }
    if let tableSize {
      let rows = graph.tensor(.int32, [1, length])
      graph.add(
        .gather, [graph.constant((0..<tableSize).map { Int32($0) }), numbers], [rows], options: GatherOptions.empty)
      numbers = rows
    }
    for _ in 0...extraOutputs { graph.add(.cast, [numbers], [graph.output(.float32, [1, length])]) }
  }

  private func addString(_ graph: inout TestGraph) {
    let text = graph.input(.string, [1])
    let hashes = graph.tensor(.int32, [1, 1, Self.stringLength])
    graph.add(
      custom: "NGramHash", [text], [hashes],
      options: FlexMap.bytes([
        "seed": .int(1), "ngram_lengths": .ints([1]), "vocab_sizes": .ints([1000]),
        "max_splits": .int(Int32(Self.stringLength)),
      ]))
    let flat = graph.tensor(.int32, [1, Self.stringLength])
    graph.add(.reshape, [hashes, graph.constant([Int32(1), -1])], [flat])
    graph.add(.cast, [flat], [graph.output(.float32, [1, Self.stringLength])])
  }

  private var metadata: [Int: FlatValue] {
    var inputs: [[Int: FlatValue]] = names.map { [0: .string($0)] }
    var subgraph: [Int: FlatValue] = [:]
    let files: FlatValue = .tables(vocabulary == nil ? [] : [[0: .string("vocab.txt"), 2: .byte(5)]])
    switch input {
    case .pattern(let pattern):
      var options: [Int: FlatValue] = [1: files]
      if let pattern { options[0] = .string(pattern) }
      inputs[0][4] = .tables([[0: .byte(6), 1: .table(options)]])
    case .wordPieces: subgraph[5] = .tables([[0: .byte(4), 1: .table([0: files])]])
    case .sentencePiece: inputs[0][4] = .tables([[0: .byte(5), 1: .table([:])]])
    case .patterns: subgraph[5] = .tables([[0: .byte(6), 1: .table([0: .string(" "), 1: files])]])
    case .sentencePieces: subgraph[5] = .tables([[0: .byte(5), 1: .table([:])]])
    case .unexplained, .string, .sentenceEncoder: break
    }
    subgraph[2] = .tables(inputs)
    var output: [Int: FlatValue] = [0: .string("numbers")]
    if labels != nil { output[6] = .tables([[0: .string("labels.txt"), 2: .byte(2)]]) }
    subgraph[3] = .tables([output])
    return subgraph
  }

  private var names: [String] {
    if let inputNames { return inputNames }
    return switch input {
    case .wordPieces, .sentencePieces, .patterns: ["ids", "mask", "segment_ids"]
    case .sentenceEncoder: ["inp_text", "res_context", "res_text"]
    case .pattern, .sentencePiece, .unexplained, .string: ["text"]
    }
  }
}
