import SwiftletEngine
import SwiftletSchema

/// A worker that runs one model on inputs and observes the ranges of its tensors.
final class RangeRun {
  private let facts: GraphFacts
  private let formats: [NumberFormat?]
  private let model: ObservedModel
  private(set) var ranges: [Int: ValueRange] = [:]

  init(_ model: Model, _ facts: GraphFacts, options: RuntimeOptions) throws {
    self.facts = facts
    formats = PairPlan.formats(facts)
    self.model = try ObservedModel(
      model, graph: facts.graph, returning: Self.observed(facts, formats), options: options)
  }

  var byteCount: Int { model.byteCount }

  func run(_ input: DiagnosisInput) throws {
    model.resetState()
    try input.write(facts, into: [model])
    try model.run()
    try Self.add(model, facts, formats, to: &ranges)
  }

  /// The tensors that operators compute, and whose elements are numbers.
  static func observed(_ facts: GraphFacts, _ formats: [NumberFormat?]) -> [Int] {
    facts.graph.tensors.indices.filter { facts.producers[$0] != nil && formats[$0] != nil }
  }

  /// Adds the values of the last run.
  static func add(
    _ model: ObservedModel, _ facts: GraphFacts, _ formats: [NumberFormat?], to ranges: inout [Int: ValueRange]
  ) throws {
    for tensor in facts.graph.tensors.indices {
      guard let format = formats[tensor] else { continue }
      func add(_ bytes: UnsafeRawBufferPointer) {
        let channels = facts.graph.tensors[tensor].shape.last ?? 1
        func count(_ numbers: UnsafeBufferPointer<Float>) {
          ranges[tensor, default: ValueRange(format, channels: channels)].add(numbers, stored: bytes)
        }
        guard format.isQuantized else { return count(bytes.assumingMemoryBound(to: Float.self)) }
        let elements = bytes.count / (format.type.byteWidth ?? 1)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, elements)) { numbers in
          let numbers = UnsafeMutableBufferPointer(rebasing: numbers[..<elements])
          format.read(bytes, into: numbers)
          count(UnsafeBufferPointer(numbers))
        }
      }
      if facts.producers[tensor] == nil {
        _ = try model.withInput(tensor) { add(UnsafeRawBufferPointer($0)) }
      } else {
        _ = try model.withTensor(tensor, add)
      }
    }
  }
}
