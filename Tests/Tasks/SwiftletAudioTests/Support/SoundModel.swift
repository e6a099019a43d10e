import SwiftletTestSupport

@testable import SwiftletAudio

extension PassingModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }

  /// A classifier that reports every sample.
  func classifier(_ configure: (inout AudioClassifierOptions) -> Void = { _ in }) throws -> AudioClassifier {
    try AudioClassifier(.bytes(bytes)) {
      $0.scoreThreshold = -.infinity
      configure(&$0)
    }
  }
}

extension AudioClassification.Window {
  /// The samples of the window.
  var samples: [Float] { classification.samples }
}

extension Classification {
  /// The samples of a window, as ``PassingModel/sound(window:sampleRate:channels:labels:)`` hands them on.
  var samples: [Float] {
    categories.sorted { $0.index < $1.index }.map(\.score)
  }
}

/// The task error a call throws.
func taskError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }

/// Rising numbers, so that every sample is another: 1, 2, 3, …
func ramp(_ count: Int, from first: Int = 1) -> [Float] { (first..<first + count).map(Float.init) }
