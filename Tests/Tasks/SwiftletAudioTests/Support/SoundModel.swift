import SwiftletTestSupport

@testable import SwiftletAudio

extension PassingModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }

  /// Returns a classifier that reports every sample.
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
  /// The samples of a window, which ``PassingModel/sound(window:sampleRate:channels:labels:)`` passes on.
  var samples: [Float] {
    categories.sorted { $0.index < $1.index }.map(\.score)
  }
}

/// Returns the task error of a call.
func taskError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }

/// Returns ascending numbers, so that all samples differ: 1, 2, 3, …
func ramp(_ count: Int, from first: Int = 1) -> [Float] { (first..<first + count).map(Float.init) }
