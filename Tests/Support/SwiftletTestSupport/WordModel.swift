import SwiftletEngine
import SwiftletSchema

/// A text model that hands its inputs on as its outputs, so that a test knows every number of them.
package struct WordModel: Sendable {
  /// What it takes.
  package enum Input: Sendable {
    /// Token IDs, cut at a pattern.
    case pattern(String?)
    /// Numbers, ones for those that are there, and zeros: BERT's three inputs, each an output.
    case wordPieces
    /// Numbers that a SentencePiece model would give.
    case sentencePiece
    /// Three inputs of such numbers.
    case sentencePieces
    /// Three inputs of numbers, cut at a pattern, which none of BERT's are.
    case patterns
    /// Numbers, without a word on where they come from.
    case unexplained
    /// One string: the output has the numbers of its first characters.
    case string
    /// Three strings, as the universal sentence encoder takes them: one output of each as for one string.
    case sentenceEncoder
  }

  package var input: Input
  /// How many numbers an input takes.
  package var length: Int
  /// The vocabulary file; `nil` where the model has none.
  package var vocabulary: String?
  /// The names of the output's numbers.
  package var labels: [String]?
  /// How many of the first output's numbers there are further outputs for.
  package var extraOutputs = 0
  package var inputNames: [String]?
  /// How many subgraphs there are besides the main one.
  package var extraSubgraphs = 0
  package var hasMetadata = true
  /// Whether the file names of the metadata are in the model.
  package var hasFiles = true
  /// Whether the inputs of BERT may have any length.
  package var hasOpenLength = false
  /// How many of them may, if not all.
  package var openInputCount: Int?
  /// The highest number that a table in the model has a row for; it is asked for every number.
  package var tableSize: Int?

  package init(_ input: Input, length: Int = 8, vocabulary: String? = nil, labels: [String]? = nil) {
    self.input = input
    self.length = length
    self.vocabulary = vocabulary
    self.labels = labels
  }

  /// The characters that a string's output has numbers for, those before and behind the text included.
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

  /// The files that its metadata names.
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
