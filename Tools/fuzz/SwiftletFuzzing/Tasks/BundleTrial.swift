import SwiftletVision

/// Makes the tasks of a bundle and calls them.
struct BundleTrial {
  /// Models as large as published ones are run as they are.
  var options: FuzzOptions = .withDefaultLimits

  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    var random = FuzzRandom(seed: bytes.withUnsafeBytes(\.seed))
    var base = BaseOptions(
      model: .bytes(bytes), limits: options.limits, timeout: options.timeout, isChecked: options.isChecked)
    if random.oneIn(4) { base.inputNormalization = InputNormalization(mean: [0], standardDeviation: [255]) }
    guard let picture = try? MPImage(rgb: random.bytes(3 * 33 * 40), width: 33, height: 40) else { return .unread }
    // Nothing of these bytes is to be found in noise, unless the least is enough.
    let least: Float = random.one(0, 0.5)
    let calls: [() throws -> Void] = [
      {
        let options = HandLandmarkerOptions(
          baseOptions: base, runningMode: .video, maxHands: 2, minDetectionConfidence: least,
          minPresenceConfidence: least)
        let task = try HandLandmarker(options: options)
        for time in 0..<2 { _ = try task.detect(picture, at: .milliseconds(time)) }
      },
      {
        let options = GestureRecognizerOptions(
          baseOptions: base, maxHands: 2, minDetectionConfidence: least, minPresenceConfidence: least)
        _ = try GestureRecognizer(options: options).recognize(picture)
      },
      {
        var options = FaceLandmarkerOptions(baseOptions: base, runningMode: .video, maxFaces: 2)
        (options.minDetectionConfidence, options.minPresenceConfidence) = (least, least)
        (options.outputsBlendshapes, options.outputsTransformationMatrices, options.smoothing) = (true, true, .all)
        let task = try FaceLandmarker(options: options)
        for time in 0..<2 { _ = try task.detect(picture, at: .milliseconds(time)) }
      },
      {
        let options = PoseLandmarkerOptions(
          baseOptions: base, runningMode: .video, maxPoses: 2, minDetectionConfidence: least,
          minPresenceConfidence: least, outputsSegmentationMasks: true, smoothing: .all)
        let task = try PoseLandmarker(options: options)
        for time in 0..<2 { _ = try task.detect(picture, at: .milliseconds(time)) }
      },
      {
        let options = HolisticLandmarkerOptions(
          baseOptions: base, runningMode: .video, minFaceDetectionConfidence: least,
          minFacePresenceConfidence: least, minPoseDetectionConfidence: least, minPosePresenceConfidence: least,
          minHandLandmarksConfidence: least, outputsBlendshapes: true, outputsSegmentationMask: true)
        let task = try HolisticLandmarker(options: options)
        for time in 0..<2 { _ = try task.detect(picture, at: .milliseconds(time)) }
      },
    ]
    return calls.count { (try? $0()) != nil } > 0 ? .ran : .refused
  }
}
