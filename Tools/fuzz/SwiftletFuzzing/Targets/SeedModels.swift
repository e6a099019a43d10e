import Foundation
import SwiftletBase
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport

/// Models to start from: the models of the golden tensors, one per operator, type, and option, and generated graphs.
package enum SeedModels {
  private static let largest = 1 << 15

  package static let golden: [[UInt8]] = {
    let manifest = TestData.packagePath + "/Tests/Engine/SwiftletOperatorsTests/Golden/manifest.json"
    guard let suite = try? GoldenSuite(manifestPath: manifest) else { return [] }
    return suite.manifest.models.compactMap { try? suite.modelBytes(of: $0) }.filter { $0.count <= largest }
  }()

  /// The same models as values.
  package static let parsed: [FuzzModel] = golden.compactMap { FuzzModel(reading: ByteRegion($0)) }

  /// The models with one subgraph, which can be inserted into another model.
  static let single = parsed.filter { $0.graphs.count == 1 && $0.graphs[0].tensors.count < 64 }

  static let custom = single.filter { $0.codes.contains { $0.builtin == BuiltinOperator.custom.rawValue } }

  /// The models with operators that keep state in variable tensors.
  static let recurrent = {
    let kinds: [BuiltinOperator] = [
      .svdf, .lstm, .rnn, .unidirectionalSequenceLSTM, .unidirectionalSequenceRNN, .bidirectionalSequenceLSTM,
      .bidirectionalSequenceRNN,
    ]
    return single.filter { model in model.codes.contains { code in kinds.contains { $0.rawValue == code.builtin } } }
  }()

  package static let all: [[UInt8]] = golden + (0..<200).map { GraphGenerator.model(seed: 1, case: $0).bytes }

  /// A model of one addition.
  static let smallest: [UInt8] = {
    var graph = TestGraph()
    let input = graph.input(.float32, [2])
    graph.add(.add, [input, input], [graph.output(.float32, [2])])
    return TestGraph.bytes([graph])
  }()
}
