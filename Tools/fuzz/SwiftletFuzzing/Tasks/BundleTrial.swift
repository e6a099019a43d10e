import SwiftletVision

/// Creates the tasks of a bundle and calls them.
struct BundleTrial {
  /// The options for models of the size of published ones, which run as they are.
  var options: FuzzOptions = .withDefaultLimits

  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    var random = FuzzRandom(seed: bytes.withUnsafeBytes(\.seed))
    var base = BaseOptions(
      model: .bytes(bytes), limits: options.limits, timeout: options.timeout, isChecked: options.isChecked)
    if random.oneIn(4) { base.inputNormalization = InputNormalization(mean: [0], standardDeviation: [255]) }
    guard let image = try? InputImage(rgb: random.bytes(3 * 33 * 40), width: 33, height: 40) else { return .unread }
    // Noise contains no detections, unless the minimum score is low enough.
    let least: Float = random.one(0, 0.5)
    let calls: [() throws -> Void] = [
      {
        let options = HandLandmarkerOptions(
          baseOptions: base, maxHands: 2, minDetectionConfidence: least,
          minPresenceConfidence: least)
        let video = try HandLandmarker(options: options).video()
        for time in 0..<2 { _ = try video.hands(in: image, at: .milliseconds(time)) }
      },
      {
        let options = GestureRecognizerOptions(
          baseOptions: base, maxHands: 2, minDetectionConfidence: least, minPresenceConfidence: least)
        _ = try GestureRecognizer(options: options).gestures(in: image)
      },
      {
        var options = FaceLandmarkerOptions(baseOptions: base, maxFaces: 2)
        (options.minDetectionConfidence, options.minPresenceConfidence) = (least, least)
        (options.outputs, options.smoothing) = ([.blendshapes, .transformationMatrices], .all)
        let video = try FaceLandmarker(options: options).video()
        for time in 0..<2 { _ = try video.faces(in: image, at: .milliseconds(time)) }
      },
      {
        let options = PoseLandmarkerOptions(
          baseOptions: base, maxPoses: 2, minDetectionConfidence: least,
          minPresenceConfidence: least, outputs: .segmentationMasks, smoothing: .all)
        let video = try PoseLandmarker(options: options).video()
        for time in 0..<2 { _ = try video.poses(in: image, at: .milliseconds(time)) }
      },
      {
        let options = HolisticLandmarkerOptions(
          baseOptions: base, minFaceDetectionConfidence: least,
          minFacePresenceConfidence: least, minPoseDetectionConfidence: least, minPosePresenceConfidence: least,
          minHandLandmarksConfidence: least, outputs: [.blendshapes, .segmentationMask])
        let video = try HolisticLandmarker(options: options).video()
        for time in 0..<2 { _ = try video.person(in: image, at: .milliseconds(time)) }
      },
    ]
    return calls.count { (try? $0()) != nil } > 0 ? .ran : .refused
  }
}
