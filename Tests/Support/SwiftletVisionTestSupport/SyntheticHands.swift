import SwiftletTestSupport
package import SwiftletVision

/// Bundles of models that don't detect real hands, but return the results that a test needs: palms that the image
/// encodes, and the same hand in every region.
package enum SyntheticHands {
  /// The side of the detector's input and of ``image(_:)``, in pixels.
  package static let side = 16
  /// A detector of two by two cells with two boxes each, and one cell of six, whose center is the image's.
  package static let detector = SyntheticFaceModel.detector(side: side, boxCount: 14, valuesPerBox: 18)

  /// A hand with its fingers up, relative to the region: the wrist below, each finger in a column, and the middle
  /// finger's base in the center.
  package static let points: [SIMD2<Float>] =
    [SIMD2(0.5, 0.8)]
    + (0..<20).map { SIMD2(0.3 + 0.1 * Float($0 / 4), 0.5 - 0.1 * Float($0 % 4)) }

  /// Returns a landmark model that returns the same numbers for every region.
  ///
  /// - Parameters:
  ///   - scale: The scale of the hand about the region's center.
  ///   - right: The probability of a right hand.
  package static func landmarks(
    presence: Float = 1, right: Float = 0.75, scale: Float = 1, depth: Float = 0, outputCount: Int = 4
  ) -> [UInt8] {
    let side: Float = 4
    let pixels = points.flatMap { point -> [Float] in
      let place = ((point - 0.5) * scale + 0.5) * side
      return [place.x, place.y, depth]
    }
    let meters = points.flatMap { point -> [Float] in [point.x - 0.5, point.y - 0.5, 0.25] }
    let outputs: [(values: [Float], shape: [Int])] = [
      (pixels, [1, 63]), ([presence], [1, 1]), ([right], [1, 1]), (meters, [1, 63]),
    ]
    return TestGraph.bytes([.giving(Array(outputs.prefix(outputCount)), forImageOf: Int(side), by: Int(side))])
  }

  package static func bundle(detector: [UInt8] = detector, landmarks: [UInt8] = landmarks()) -> [UInt8] {
    RawArchive([.init("hand_detector.tflite", detector), .init("hand_landmarks_detector.tflite", landmarks)]).bytes
  }

  package static func base(_ bundle: [UInt8] = bundle()) -> BaseOptions {
    BaseOptions(
      model: .bytes(bundle), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1]))
  }

  package static func landmarker(
    _ bundle: [UInt8] = bundle(), _ change: (inout HandLandmarkerOptions) -> Void = { _ in }
  ) throws -> HandLandmarker {
    var options = HandLandmarkerOptions(baseOptions: base(bundle), minDetectionConfidence: 0.6)
    change(&options)
    return try HandLandmarker(options: options)
  }

  /// Returns an upright palm as the raw numbers of a box.
  ///
  /// - Parameters:
  ///   - right: The distance of its center to the right of its anchor, in pixels.
  ///   - side: The side of its box, in pixels.
  package static func palm(right: UInt8 = 0, side: UInt8 = 4, score: UInt8 = 10) -> (values: [UInt8], score: UInt8) {
    ([right, 0, side, side, right, 4, 0, 0, right, 0], score)
  }

  /// Returns an image with palms, by the index of their boxes.
  package static func image(_ palms: [Int: (values: [UInt8], score: UInt8)]) throws -> InputImage {
    var bytes = [UInt8](repeating: 0, count: side * side * 3)
    for (index, palm) in palms {
      for (offset, value) in palm.values.enumerated() { bytes[18 * index + offset] = value }
      bytes[14 * 18 + index] = palm.score
    }
    return try InputImage(rgb: bytes, width: side, height: side)
  }
}
