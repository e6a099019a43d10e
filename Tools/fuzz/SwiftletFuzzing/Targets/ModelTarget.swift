import SwiftletBase
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

extension FuzzTarget {
  /// Loads a model, reports on it, and plans and runs all its signatures.
  package static let model = FuzzTarget("model", seeds: { SeedModels.all }) { bytes in _ = ModelTrial().run(bytes) }
}

/// All operations on a model file.
package struct ModelTrial {
  package var options = FuzzOptions()
  /// A closure that receives the reason why a model doesn't run.
  package var refused: @Sendable (any Error) -> Void = { _ in }

  package init() {}

  package func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome { bytes.withUnsafeBytes { run($0) } }

  package func run(_ bytes: UnsafeRawBufferPointer) -> CampaignWorker.Outcome {
    guard bytes.count <= options.maximumFile, let file = ReadOnlyBytes(bytes) else { return .unread }
    var random = FuzzRandom(seed: bytes.seed)
    var model: Model
    do {
      model = try Model(file.region)
    } catch {
      refused(error)
      return .unread
    }
    model.addOperator(named: EchoOperator.name) { _ in EchoOperator() }
    report(model)
    let numerics: Numerics = random.oneIn(3) ? .bitExact : .fast
    var outcome = CampaignWorker.Outcome.refused
    for signature in [nil] + model.signatureKeys.prefix(3).map(Optional.some) {
      for threads in random.oneIn(3) ? [1, 2] : [1] {
        // An error is a valid result. The bugs to be found never return from these calls.
        do {
          try run(model, signature, options.runtime(threads: threads, numerics: numerics), &random)
          outcome = .ran
        } catch {
          refused(error)
        }
      }
    }
    return outcome
  }

  // MARK: Reports

  private func report(_ model: Model) {
    _ = model.support(options: options.runtime(threads: 1, numerics: .fast))
    for graph in model.file.subgraphs {
      for operation in graph.operators {
        _ = operation.namedOptions
        _ = try? operation.compositeAttributes()
      }
    }
    report(try? model.file.modelMetadata())
    _ = try? model.file.associatedFiles()
  }

  private func report(_ metadata: ModelMetadata?) {
    for tensor in (metadata?.inputs ?? []) + (metadata?.outputs ?? []) { _ = try? tensor.normalization() }
  }

  // MARK: Runs

  private func run(_ model: Model, _ signature: String?, _ options: RuntimeOptions, _ random: inout FuzzRandom) throws {
    let compiled = try CompiledModel(model, options: options, signature: signature)
    let session = try Session(compiled)
    try once(session, &random)
    // State is kept from run to run.
    try once(session, &random)
    if random.oneIn(2), !session.inputs.isEmpty {
      let shapes = session.inputs.map(\.shape)
      if (try? session.resizeInputs(to: shapes.map { changed($0, &random) })) != nil {
        try? once(session, &random)
        try? session.resizeInputs(to: shapes)
      }
    }
    session.resetState()
    try once(session, &random)
    _ = session.profile
    _ = compiled.precision
  }

  private func once(_ session: Session, _ random: inout FuzzRandom) throws {
    for (index, spec) in session.inputs.enumerated() {
      // A constant input accepts no values.
      try? fill(session, index, spec, &random)
    }
    try session.run()
    for (index, spec) in session.outputs.enumerated() {
      if spec.elementType == .string {
        _ = try? session.strings(ofOutput: index)
      } else {
        _ = try? session.withOutput(index) { $0.reduce(UInt8(0), ^) }
      }
    }
  }

  private func fill(_ session: Session, _ index: Int, _ spec: TensorSpec, _ random: inout FuzzRandom) throws {
    guard spec.elementType != .string else {
      let words = (0..<min(spec.shape.elementCount, 4096)).map { _ in
        random.one("", "a", "the quick brown fox", "x y", random.hostileText())
      }
      return try session.setStrings(words, at: index)
    }
    try session.withInput(index) { memory in ValueFilling.fill(memory, as: spec.elementType, &random) }
  }

  private func changed(_ shape: Shape, _ random: inout FuzzRandom) -> Shape {
    var dimensions = shape.dimensions
    guard !dimensions.isEmpty else { return shape }
    let axis = random.below(dimensions.count)
    dimensions[axis] = random.one(0, 1, 2, 3, dimensions[axis] + 1, dimensions[axis] * 2, dimensions[axis] / 2, 17)
    return Shape(dimensions)
  }
}

/// A custom operator as a program registers it: it returns its inputs, for as many outputs as it has.
struct EchoOperator: CustomOperator {
  static let name = "Fuzz.Echo"

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    try node.outputs.indices.map { try node.input($0).shape }
  }

  func run(_ call: CustomOperatorCall) throws {
    for index in call.outputs.indices where call.outputs[index].elementType == .float32 {
      let source = try call.input(index, as: Float.self)
      _ = try call.output(index, as: Float.self).update(from: source)
    }
  }
}
