import Foundation
import SwiftletMeasurement
import SwiftletEngine
import SwiftletTestSupport
import SwiftletVision

/// The session of an endless loop, for runs that are stopped.
private struct EndlessRun {
  private let session: Session

  init(_ model: CompiledModel) throws { session = try Session(model) }

  /// - Parameter start: The round to start with.
  func run(from start: Int32, deadline: ContinuousClock.Instant? = nil) throws {
    _ = try session.run([Tensor([start], shape: [1]), Tensor([Float(1), 2], shape: [2])], deadline: deadline)
  }

  /// Runs the session to its end.
  ///
  /// - Throws: If the session cannot be used after it was stopped.
  func finish() throws { try run(from: SoakModels.endlessRounds) }
}

/// A run that doesn't end before its deadline, which is set for the run, the model, or a task.
final class PassedDeadlineWork: SoakWork {
  static let name = "run past its deadline"
  private let material: SoakMaterial
  private let endless: EndlessRun
  private let hasty: EndlessRun

  init(_ material: SoakMaterial, thread: Int) throws {
    self.material = material
    endless = try EndlessRun(material.endlessLoop)
    hasty = try EndlessRun(material.hastyLoop)
  }

  func step(_ generator: inout SplitMix64) throws {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      try expectDeadline { try endless.run(from: 0, deadline: .now + .milliseconds(1)) }
      try endless.finish()
    case 1: try expectDeadline { try hasty.run(from: 0) }
    default:
      let model = SoakMaterial.anyModel(&generator)
      do {
        _ = try SoakTask(model, base: BaseOptions(model: .embedded(model), timeout: .zero)).answer(material.images[0])
      } catch {
        return
      }
      throw MeasurementFailure(file: Self.name, reason: "\(model.rawValue) answered without any time")
    }
  }

  private func expectDeadline(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as RuntimeError where error.code == .deadlineExceeded {
      return
    }
    throw MeasurementFailure(file: Self.name, reason: "a loop without end ended")
  }
}

/// A run in a task that is cancelled before or during the run.
final class CancelledRunWork: SoakWork {
  static let name = "cancelled run"
  private let material: SoakMaterial

  init(_ material: SoakMaterial, thread: Int) { self.material = material }

  func step(_ generator: inout SplitMix64) throws {
    let model = material.endlessLoop
    let call = AwaitedCall {
      let endless = try EndlessRun(model)
      // Far longer than the cancelled run takes; it only keeps a run that cannot be cancelled from blocking the soak
      // test.
      try endless.run(from: 0, deadline: .now + .seconds(60))
    }
    if Bool.random(using: &generator) { usleep(UInt32.random(in: 0...3000, using: &generator)) }
    call.cancel()
    switch call.result() {
    case .success: throw MeasurementFailure(file: Self.name, reason: "a loop without end ended")
    case .failure(let error): try Self.expect((error as? RuntimeError)?.code == .cancelled, "\(error)")
    }
  }
}
