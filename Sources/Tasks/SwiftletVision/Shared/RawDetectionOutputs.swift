import SwiftletBase
import SwiftletEngine

/// Which of a detector's outputs holds the raw boxes and which the raw scores.
enum RawDetectionOutputs {
  /// Boxes first, as published models have them, or the other way round where only that fits.
  ///
  /// The outputs hold a number for every box and class that the metadata announces, so neither is larger than the
  /// memory of a run.
  ///
  /// - Throws: `TaskError` that says what shapes were expected.
  static func find(
    _ outputs: [TensorSpec], decoder: BoxDecoder, task: String
  ) throws(TaskError) -> (boxes: Int, scores: Int) {
    let boxCount = decoder.anchors.count
    func holds(_ spec: TensorSpec, _ perBox: Int) -> Bool {
      let (expected, overflow) = boxCount.multipliedReportingOverflow(by: perBox)
      return !overflow && expected > 0 && spec.shape.elementCount == expected && spec.shape.dimensions.last == perBox
    }
    for (boxes, scores) in [(0, 1), (1, 0)] where outputs.count == 2 {
      if holds(outputs[boxes], decoder.coordinateCount), holds(outputs[scores], decoder.classCount) {
        return (boxes, scores)
      }
    }
    let found = ShownText.list(outputs.map(\.description))
    throw .invalidModel(
      "this is not a \(task) detection model of a known form: expected outputs [1 × \(boxCount) × \(decoder.coordinateCount)] and [1 × \(boxCount) × \(decoder.classCount)], found \(found)"
    )
  }
}
