import SwiftletMeasurement
import SwiftletTestSupport

/// A kind of work that a thread of the mixed soak test repeats. Each thread has an instance of its own.
protocol SoakWork: AnyObject, SendableMetatype {
  /// The name in the table.
  static var name: String { get }

  init(_ material: SoakMaterial, thread: Int) throws

  /// Does the work once and compares the result with the first result of any thread.
  ///
  /// - Throws: `MeasurementFailure` for a wrong result, and errors of the work.
  func step(_ generator: inout SplitMix64) throws
}

/// The list of all kinds of work.
enum SoakWorkList {
  static func kinds(_ material: SoakMaterial) -> [any SoakWork.Type] {
    let kinds: [any SoakWork.Type] = [
      MadeTaskWork.self, SharedTaskWork.self, SessionRunWork.self, ResizeWork.self, GrowingLoopWork.self,
      ShapeFromValuesWork.self,
      PassedDeadlineWork.self, CancelledRunWork.self, CancelledCallWork.self, TrackerWork.self, LiveStreamWork.self,
      LoadWork.self, BrokenModelWork.self,
    ]
    return material.publishedModels.isEmpty ? kinds : kinds + [PublishedModelWork.self]
  }
}

extension SoakWork {
  /// Checks a condition.
  ///
  /// - Throws: `MeasurementFailure` unless `condition` holds.
  static func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw MeasurementFailure(file: name, reason: message()) }
  }
}
