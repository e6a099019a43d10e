import SwiftletMeasurement
import SwiftletTestSupport

/// One kind of work that a thread of the mixed soak does over and over. Each thread has its own.
protocol SoakWork: AnyObject, SendableMetatype {
  /// What it is called in the table.
  static var name: String { get }

  init(_ material: SoakMaterial, thread: Int) throws

  /// Does it once and compares the result with what it was the first time anybody computed it.
  ///
  /// - Throws: `MeasurementFailure` for a wrong result, and whatever fails.
  func step(_ generator: inout SplitMix64) throws
}

/// The kinds of work there are.
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
  /// - Throws: `MeasurementFailure` unless `condition` holds.
  static func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw MeasurementFailure(file: name, reason: message()) }
  }
}
