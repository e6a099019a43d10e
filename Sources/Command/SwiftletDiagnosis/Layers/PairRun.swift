import SwiftletEngine
import SwiftletSchema

/// The sums about one tensor of a quantized model and its reference.
struct PairSums: Sendable {
  /// The quantized run against the reference run.
  var total = ErrorSums()
  /// The reference's layer on the quantized run's inputs, against the reference run.
  var inherited = ErrorSums()
  /// The quantized layer alone, against the reference's layer on the same inputs.
  var added = ErrorSums()
  /// The reference's layer with ideally quantized weights, against the layer with its own weights.
  var ideal = ErrorSums()
  /// The numbers of the reference that are outside the range of the quantized tensor, and the sum of the squares of
  /// what is cut off.
  var clippedCount = 0
  var clippedNoise = 0.0

  mutating func add(_ other: PairSums) {
    total.add(other.total)
    inherited.add(other.inherited)
    added.add(other.added)
    ideal.add(other.ideal)
    clippedCount += other.clippedCount
    clippedNoise += other.clippedNoise
  }
}

/// A worker that runs both models of a pair and their isolated layers on inputs, one after the other.
final class PairRun {
  private let plan: PairPlan
  private let quantized: ObservedModel
  private let reference: ObservedModel
  private let isolated: ObservedModel
  private let isolatedReference: ObservedModel
  private let ideal: ObservedModel?
  private(set) var sums: [PairSums]
  private(set) var ranges: [Int: ValueRange] = [:]
  private(set) var referenceRanges: [Int: ValueRange] = [:]
  private var buffers = [UnsafeMutableBufferPointer<Float>](repeating: .init(start: nil, count: 0), count: 3)

  init(_ plan: PairPlan, _ model: Model, _ other: Model, options: RuntimeOptions) throws {
    self.plan = plan
    let observed = RangeRun.observed(plan.ours, plan.formats)
    let references = Set(plan.pairs.map(\.reference) + plan.floatOutputs).filter { plan.theirs.producers[$0] != nil }
      .sorted()
    quantized = try ObservedModel(model, graph: plan.ours.graph, returning: observed, options: options)
    reference = try ObservedModel(other, graph: plan.theirs.graph, returning: references, options: options)
    isolated = try ObservedModel(model, graph: plan.isolated.graph, returning: observed, options: options)
    isolatedReference = try ObservedModel(
      other, graph: plan.isolatedReference.graph, returning: references, options: options)
    ideal = try plan.ideal.map { try ObservedModel(other, graph: $0, returning: references, options: options) }
    sums = [PairSums](repeating: PairSums(), count: plan.pairs.count)
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  /// The memory of the sessions and the buffers.
  var byteCount: Int {
    quantized.byteCount + reference.byteCount + isolated.byteCount + isolatedReference.byteCount
      + (ideal?.byteCount ?? 0) + buffers.reduce(0) { $0 + $1.count * MemoryLayout<Float>.size }
  }

  /// Runs the pair on an input and adds up.
  func run(_ input: DiagnosisInput) throws {
    for model in [quantized, reference, isolated, isolatedReference] + (ideal.map { [$0] } ?? []) {
      model.resetState()
    }
    try input.write(plan.ours, into: [quantized, isolated])
    try input.write(plan.theirs, into: [reference, isolatedReference] + (ideal.map { [$0] } ?? []))
    try quantized.run()
    try reference.run()
    try observe()
    try feedReference()
    try isolated.run()
    try isolatedReference.run()
    try ideal?.run()
    try compareIsolated()
    try feedQuantized()
    try isolatedReference.run()
    try compareInherited()
  }

  /// Runs the isolated layers on an input, and returns copies of the numbers of some pairs' tensors, and of the
  /// reference's outputs.
  func isolatedValues(
    _ pairs: [Int], on input: DiagnosisInput
  ) throws -> (values: [Int: [Float]], outputs: [Int: [Float]]) {
    for model in [reference, isolated] { model.resetState() }
    try input.write(plan.ours, into: [isolated])
    try input.write(plan.theirs, into: [reference])
    try reference.run()
    try feedReference()
    try isolated.run()
    var values: [Int: [Float]] = [:]
    for pair in pairs {
      let tensor = plan.pairs[pair].tensor
      // The error of an input is that of its format.
      values[pair] = try quantizedValues(tensor, of: isolated, buffer: 1) { Array($0) }
    }
    var outputs: [Int: [Float]] = [:]
    for output in plan.floatOutputs {
      outputs[output] = try referenceValues(output, of: reference, buffer: 0) { Array($0) }
    }
    return (values, outputs)
  }

  // MARK: Values

  /// Returns the start of a buffer, which grows to the largest tensor of a run. The shapes in a file may be larger.
  private func room(for count: Int, in buffer: Int) -> UnsafeMutableBufferPointer<Float> {
    if buffers[buffer].count < count {
      buffers[buffer].deallocate()
      buffers[buffer] = .allocate(capacity: count)
    }
    return UnsafeMutableBufferPointer(rebasing: buffers[buffer][..<count])
  }

  /// Calls `body` with the numbers of a tensor of a run, which are in a buffer unless they are floats already.
  private func values<Result>(
    _ tensor: Int, of model: ObservedModel, _ facts: GraphFacts, _ format: NumberFormat?, buffer: Int,
    _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result? {
    guard let format else { return nil }
    func read(_ bytes: UnsafeRawBufferPointer) throws -> Result {
      guard format.isQuantized else { return try body(bytes.assumingMemoryBound(to: Float.self)) }
      let numbers = room(for: bytes.count / (format.type.byteWidth ?? 1), in: buffer)
      format.read(bytes, into: numbers)
      return try body(UnsafeBufferPointer(numbers))
    }
    if facts.producers[tensor] == nil { return try model.withInput(tensor) { try read(UnsafeRawBufferPointer($0)) } }
    return try model.withTensor(tensor, read)
  }

  private func quantizedValues<Result>(
    _ tensor: Int, of model: ObservedModel, buffer: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result? {
    try values(tensor, of: model, plan.ours, plan.formats[tensor], buffer: buffer, body)
  }

  private func referenceValues<Result>(
    _ tensor: Int, of model: ObservedModel, buffer: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result? {
    try values(tensor, of: model, plan.theirs, plan.referenceFormats[tensor], buffer: buffer, body)
  }

  // MARK: Runs

  private func observe() throws {
    try RangeRun.add(quantized, plan.ours, plan.formats, to: &ranges)
    for (index, pair) in plan.pairs.enumerated() {
      _ = try referenceValues(pair.reference, of: reference, buffer: 0) { reference in
        if let range = plan.formats[pair.tensor]?.representable { clip(reference, to: range, &sums[index]) }
        if referenceRanges[pair.tensor] == nil, let format = plan.referenceFormats[pair.reference] {
          let channels = plan.theirs.graph.tensors[pair.reference].shape.last ?? 1
          referenceRanges[pair.tensor] = ValueRange(format, channels: channels)
        }
        // The range of a float tensor doesn't look at the stored values.
        referenceRanges[pair.tensor]?.add(reference, stored: UnsafeRawBufferPointer(reference))
        _ = try quantizedValues(pair.tensor, of: quantized, buffer: 1) { values in
          sums[index].total.add(values, reference: reference)
        }
      }
    }
  }

  private func clip(_ values: UnsafeBufferPointer<Float>, to range: ClosedRange<Float>, _ sums: inout PairSums) {
    let margin = (range.upperBound - range.lowerBound) / 510
    for value in values where value < range.lowerBound - margin || value > range.upperBound + margin {
      guard value.isFinite else { continue }
      sums.clippedCount += 1
      let excess = Double(value < range.lowerBound ? range.lowerBound - value : value - range.upperBound)
      sums.clippedNoise += excess * excess
    }
  }

  /// Gives every isolated layer the numbers of the reference run, rounded by the format of the quantized tensor.
  private func feedReference() throws {
    for (key, input) in plan.isolated.inputs {
      guard let source = plan.matching.references[key.tensor], let format = plan.formats[key.tensor] else { continue }
      _ = try referenceValues(source, of: reference, buffer: 0) { values in
        try isolated.withInput(input) { format.write(values, into: $0) }
      }
    }
    for (key, input) in plan.isolatedReference.inputs {
      guard let source = key.source, let format = plan.formats[source] else { continue }
      _ = try referenceValues(plan.theirs.root(of: key.tensor), of: reference, buffer: 0) { values in
        let rounded = round(values, format)
        for model in [isolatedReference] + (ideal.map { [$0] } ?? []) { try feed(rounded, key.tensor, input, model) }
      }
    }
  }

  private func round(_ values: UnsafeBufferPointer<Float>, _ format: NumberFormat) -> UnsafeBufferPointer<Float> {
    guard format.isQuantized else { return values }
    let rounded = room(for: values.count, in: 2)
    for index in rounded.indices { rounded[index] = format.real(format.code(values[index])) }
    return UnsafeBufferPointer(rounded)
  }

  private func feed(
    _ values: UnsafeBufferPointer<Float>, _ tensor: Int, _ input: Int, _ model: ObservedModel
  ) throws {
    let format = plan.referenceFormats[tensor]
    _ = try model.withInput(input) { format?.write(values, into: $0) }
  }

  /// Gives every layer of the reference the numbers of the quantized run.
  private func feedQuantized() throws {
    for (key, input) in plan.isolatedReference.inputs {
      guard let source = key.source else { continue }
      _ = try quantizedValues(source, of: quantized, buffer: 0) { try feed($0, key.tensor, input, isolatedReference) }
    }
  }

  private func compareIsolated() throws {
    for (index, pair) in plan.pairs.enumerated() {
      guard let operation = plan.ours.producers[pair.tensor] else {
        // An input: the format alone adds an error.
        _ = try referenceValues(pair.reference, of: reference, buffer: 0) { reference in
          guard let format = plan.formats[pair.tensor] else { return }
          sums[index].added.add(round(reference, format), reference: reference)
        }
        continue
      }
      if plan.ours.isConversion(operation), let source = plan.ours.graph.operators[operation].inputs.first ?? nil,
        let format = plan.formats[source]
      {
        _ = try referenceValues(pair.reference, of: reference, buffer: 0) { values in
          let expected = round(values, format)
          _ = try quantizedValues(pair.tensor, of: isolated, buffer: 1) { values in
            sums[index].added.add(values, reference: expected)
          }
        }
        continue
      }
      _ = try referenceValues(pair.reference, of: isolatedReference, buffer: 0) { expected in
        _ = try quantizedValues(pair.tensor, of: isolated, buffer: 1) { values in
          sums[index].added.add(values, reference: expected)
        }
        guard let ideal else { return }
        _ = try referenceValues(pair.reference, of: ideal, buffer: 1) { values in
          sums[index].ideal.add(values, reference: expected)
        }
      }
    }
  }

  private func compareInherited() throws {
    for (index, pair) in plan.pairs.enumerated() where plan.ours.producers[pair.tensor] != nil {
      _ = try referenceValues(pair.reference, of: reference, buffer: 0) { expected in
        _ = try referenceValues(pair.reference, of: isolatedReference, buffer: 1) { values in
          sums[index].inherited.add(values, reference: expected)
        }
      }
    }
  }
}
