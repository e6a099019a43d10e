import SwiftletMeasurement
import SwiftletEngine
import SwiftletTestSupport

/// Runs a thread's own session with 1, 2, or 4 threads. Every hundredth time, the session is a new one.
final class SessionRunWork: SoakWork {
  static let name = "run of a session"
  private let model: CompiledModel
  private var session: Session
  private let expected: [UInt8]
  private var count = 0

  init(_ material: SoakMaterial, thread: Int) throws {
    model = material.compiled[thread % material.compiled.count]
    session = try Session(model)
    expected = try Self.result(Session(material.compiled[0]))
  }

  func step(_ generator: inout SplitMix64) throws {
    count += 1
    if count % 100 == 0 { session = try Session(model) }
    try Self.expect(try Self.result(session) == expected, "the bytes of the result changed")
  }

  private static func result(_ session: Session) throws -> [UInt8] {
    try SyntheticInput.fill(session)
    try session.run()
    return try session.withOutput(0) { [UInt8]($0) }
  }
}

/// Resizes a thread's own session of a convolution with float16 weights among three shapes.
final class ResizeWork: SoakWork {
  static let name = "resize and run"
  private static let sides = [16, 24, 9]
  private let session: Session
  private let expected: [[UInt8]]
  private var count = 0

  init(_ material: SoakMaterial, thread: Int) throws {
    session = try Session(material.convolution)
    count = thread
    expected = try Self.sides.map { try Self.result(Session(material.convolution), side: $0) }
  }

  func step(_ generator: inout SplitMix64) throws {
    count += 1
    let shape = count % Self.sides.count
    try Self.expect(
      try Self.result(session, side: Self.sides[shape]) == expected[shape], "the bytes of the result changed")
  }

  private static func result(_ session: Session, side: Int) throws -> [UInt8] {
    try session.resizeInput(at: 0, to: Shape([1, side, side, SoakModels.channels]))
    try SyntheticInput.fill(session)
    try session.run()
    return try session.withOutput(0) { [UInt8]($0) }
  }
}

/// Runs a thread's own session of a loop whose tensor doubles its length in each of 0 to 6 rounds.
final class GrowingLoopWork: SoakWork {
  static let name = "loop with growing shapes"
  private let session: Session

  init(_ material: SoakMaterial, thread: Int) throws { session = try Session(material.growingLoop) }

  func step(_ generator: inout SplitMix64) throws {
    let start = Int32.random(in: 0...6, using: &generator), length = Int.random(in: 1...3, using: &generator)
    let values = (0..<length).map { Float($0) }
    let results = try session.run([Tensor([start], shape: [1]), Tensor(values, shape: [length])])
    let expected = (0..<1 << (6 - Int(start))).flatMap { _ in values }
    try Self.expect(
      try results[1].values() == expected, "from round \(start) on, \(length) values became something else")
  }
}

/// Runs a thread's own session of a model whose shapes are values of its input.
final class ShapeFromValuesWork: SoakWork {
  static let name = "shapes from values"
  private let session: Session

  init(_ material: SoakMaterial, thread: Int) throws { session = try Session(material.shapeFromValues) }

  func step(_ generator: inout SplitMix64) throws {
    let rows = Int.random(in: 1...40, using: &generator), columns = Int.random(in: 1...40, using: &generator)
    let results = try session.run([Tensor([Int32(rows), Int32(columns)], shape: [2])])
    try Self.expect(
      results[0].shape == Shape([rows, columns])
        && (try results[1].values() == [Float](repeating: Float(columns), count: rows)),
      "the sums of \(rows) rows of \(columns) ones are others")
  }
}
