import Foundation
import SwiftletMeasurement
import SwiftletModels
import SwiftletEngine
import SwiftletOperators
import SwiftletTestSupport

/// Loads a model from a mapped file, compiles it, and releases it.
final class LoadWork: SoakWork {
  static let name = "load from a file"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    guard let file = material.files[SoakMaterial.anyModel(&generator)] else { return }
    let session = try Session(CompiledModel(try Model(contentsOf: file)))
    try Self.expect(session.inputs.count == 1, "\(file) has \(session.inputs.count) inputs")
  }
}

/// Loads a truncated or corrupted model from bytes or a file, and runs it for a moment if it loads.
final class BrokenModelWork: SoakWork {
  static let name = "load of a broken model"
  private let file: TemporaryFolder

  init(_ material: SoakMaterial, thread: Int) throws { file = try TemporaryFolder() }

  func step(_ generator: inout SplitMix64) throws {
    var bytes = SoakMaterial.anyModel(&generator).bytes
    let isCut = Bool.random(using: &generator)
    if isCut {
      // A model without its second half lacks at least its constants.
      bytes.removeLast(Int.random(in: bytes.count / 2...bytes.count, using: &generator))
    } else {
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    let isRun = try run(bytes, fromFile: Bool.random(using: &generator))
    try Self.expect(!(isCut && isRun), "half a model was run")
  }

  /// Returns whether the bytes are a model that could run.
  private func run(_ bytes: [UInt8], fromFile isFile: Bool) throws -> Bool {
    let path = file.path("broken.tflite")
    if isFile { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    do {
      let model = isFile ? try Model(contentsOf: path) : try Model(bytes: bytes)
      let session = try Session(CompiledModel(model))
      try session.run(deadline: .now + .milliseconds(200))
      return true
    } catch {
      return false
    }
  }
}

/// Loads a published model, runs it once, and releases it.
final class PublishedModelWork: SoakWork {
  static let name = "published model"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    guard let path = material.publishedModels.randomElement(using: &generator) else { return }
    let session = try Session(
      CompiledModel(
        try Model(contentsOf: path), options: RuntimeOptions(threads: Int.random(in: 1...4, using: &generator))))
    try SyntheticInput.fill(session)
    try session.run()
  }
}
