import Swiftlet

struct WrongRequest: Error, CustomStringConvertible {
  let description: String
}

/// A worker that runs one request at a time.
actor Worker {
  private let session: Session

  init(_ model: CompiledModel) throws { session = try Session(model) }

  func answer(to values: [Float]) throws -> [Float] {
    try session.withInput(0, as: Float.self) { input in
      guard values.count == input.count else {
        throw WrongRequest(description: "the model takes \(input.count) values, not \(values.count)")
      }
      _ = input.update(fromContentsOf: values)
    }
    try session.run()
    return try session.withOutput(0, as: Float.self) { Array($0) }
  }
}
