import Swiftlet

/// A worker that runs one request at a time.
actor Worker {
  private let session: Session

  init(_ model: CompiledModel) throws { session = try Session(model) }

  func answer(to values: [Float]) throws -> [Float] {
    try session.withInput(0, as: Float.self) { input in _ = input.update(fromContentsOf: values) }
    try session.run()
    return try session.withOutput(0, as: Float.self) { Array($0) }
  }
}
