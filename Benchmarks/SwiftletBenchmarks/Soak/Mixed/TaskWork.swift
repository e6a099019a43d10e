import SwiftletModels
import SwiftletEngine
import SwiftletTestSupport
import SwiftletVision

/// Creates a task from bytes or a file, calls it once, and releases it.
final class MadeTaskWork: SoakWork {
  static let name = "task made, called, dropped"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    let model = SoakMaterial.anyModel(&generator)
    let imageIndex = Int.random(in: material.images.indices, using: &generator)
    let threads = Int.random(in: 1...4, using: &generator)
    let file = Bool.random(using: &generator) ? material.files[model] : nil
    let base = BaseOptions(model: file.map { .file($0) } ?? .bytes(model.bytes), threads: threads)
    let answer = try SoakTask(model, base: base).answer(material.images[imageIndex])
    try material.expect(
      answer, model, imageIndex: imageIndex, in: Self.name,
      " with \(threads) threads, from \(file == nil ? "bytes" : "a file")")
  }
}

/// Calls a task that all threads call concurrently.
final class SharedTaskWork: SoakWork {
  static let name = "call of a shared task"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    guard let (model, task, imageIndex) = material.anyTask(&generator) else { return }
    try material.expect(try task.answer(material.images[imageIndex]), model, imageIndex: imageIndex, in: Self.name)
  }
}

/// Makes an async call of a task that all threads share. Half of the callers are cancelled, some before the call
/// begins.
final class CancelledCallWork: SoakWork {
  static let name = "awaited call, half cancelled"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    guard let (model, task, imageIndex) = material.anyTask(&generator) else { return }
    let image = material.images[imageIndex]
    let call = AwaitedCall { try await task.awaitedAnswer(image) }
    let isCancelled = Bool.random(using: &generator)
    if isCancelled { call.cancel() }
    switch call.result() {
    case .success(let answer):
      try material.expect(answer, model, imageIndex: imageIndex, in: Self.name)
    case .failure(let error):
      try Self.expect(isCancelled && error is CancellationError, "\(model.rawValue): \(error)")
    }
  }
}
