import Foundation
import Swiftlet

/// Workers that share one compiled model.
actor Pool {
  private let workers: [Worker]
  private var turn = 0

  init(_ model: CompiledModel) throws {
    workers = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in try Worker(model) }
  }

  func next() -> Worker {
    turn = (turn + 1) % workers.count
    return workers[turn]
  }
}
