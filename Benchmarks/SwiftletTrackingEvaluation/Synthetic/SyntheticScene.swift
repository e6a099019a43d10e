import SwiftletTestSupport
import SwiftletTracking

/// A synthetic video: moving objects, a camera, and a detector with faults. The same seed gives the same video on every
/// platform.
struct SyntheticScene: Sendable {
  var name: String
  var width = 640.0
  var height = 480.0
  var frameRate = 30.0
  /// The times of the frames, in seconds.
  var times: [Double]
  var objects: [SceneObject]
  var faults = DetectorFaults()
  /// The camera shake between frames, in pixels.
  var shake = 0.0
  /// The time from which frames have another size, to which the scene is scaled.
  var resize: (time: Double, width: Double, height: Double)?

  /// Returns the times of evenly spaced frames.
  static func times(seconds: Double, frameRate: Double = 30) -> [Double] {
    (0..<Int(seconds * frameRate)).map { Double($0) / frameRate }
  }

  func sequence(seed: UInt64) -> TrackingSequence {
    var generator = SplitMix64(state: seed)
    var camera = (x: 0.0, y: 0.0)
    let frames = times.enumerated().map { number, time in
      // The camera is displaced at random, and pulled back to its original position.
      camera.x = 0.8 * camera.x + shake * Self.normal(&generator)
      camera.y = 0.8 * camera.y + shake * Self.normal(&generator)
      return frame(number, time, camera, &generator)
    }
    return TrackingSequence(name: name, frameRate: frameRate, frames: frames)
  }

  private func frame(_ number: Int, _ time: Double, _ camera: (x: Double, y: Double), _ generator: inout SplitMix64)
    -> TrackingSequence.Frame
  {
    var frame = TrackingSequence.Frame(time: time, width: width, height: height)
    if let resize, time >= resize.time { (frame.width, frame.height) = (resize.width, resize.height) }
    let (across, down) = (frame.width / width, frame.height / height)
    let places = objects.map { object in
      object.place(time).map { box in
        PixelRect(
          x: (box.x + camera.x) * across, y: (box.y + camera.y) * down, width: box.width * across,
          height: box.height * down)
      }
    }
    for (index, object) in objects.enumerated() {
      guard let place = places[index] else { continue }
      let visible = place.clipped(width: frame.width, height: frame.height)
      // Objects with less than a quarter visible at the border aren't evaluated.
      guard visible.area >= 0.25 * place.area else { continue }
      if object.isEvaluated { frame.truth.append(IdentifiedBox(identity: object.identity, box: visible)) }
      // Draw random numbers for every object, so that a fault of one doesn't affect the others.
      let found = detections(of: visible, number, &generator)
      let isMissed = Double.random(in: 0..<1, using: &generator) < faults.missRate
      let isHidden =
        object.hidden.contains { $0.contains(time) }
        || object.isBehind && isCovered(visible, by: places.dropFirst(index + 1))
      if !isMissed, !isHidden { frame.detections += found }
    }
    addFalseDetections(to: &frame, &generator)
    return frame
  }

  private func isCovered(_ box: PixelRect, by others: some Sequence<PixelRect?>) -> Bool {
    others.contains { other in
      guard let other else { return false }
      let sharedWidth = min(box.x + box.width, other.x + other.width) - max(box.x, other.x)
      let sharedHeight = min(box.y + box.height, other.y + other.height) - max(box.y, other.y)
      return sharedWidth > 0 && sharedHeight > 0 && sharedWidth * sharedHeight > faults.hiddenShare * box.area
    }
  }

  private func detections(of box: PixelRect, _ number: Int, _ generator: inout SplitMix64) -> [BoxDetection] {
    func error(_ size: Double) -> Double {
      Self.normal(&generator) * faults.noise * size + .random(in: -1...1, using: &generator) * faults.jitter
    }
    func found() -> PixelRect {
      let (left, top) = (box.x + error(box.width), box.y + error(box.height))
      let (right, bottom) = (box.x + box.width + error(box.width), box.y + box.height + error(box.height))
      return PixelRect(x: left, y: top, width: max(right - left, 1), height: max(bottom - top, 1))
    }
    var score = Double.random(in: faults.scores, using: &generator)
    if let dips = faults.dips, number % dips.period >= dips.period - dips.frames { score = dips.score }
    var result = [BoxDetection(box: found(), score: score)]
    if faults.doubles { result.append(BoxDetection(box: found(), score: score * 0.9)) }
    return result
  }

  private func addFalseDetections(to frame: inout TrackingSequence.Frame, _ generator: inout SplitMix64) {
    let isFalse = Double.random(in: 0..<1, using: &generator) < faults.falseRate
    let (boxWidth, boxHeight) = (
      Double.random(in: 30...120, using: &generator), Double.random(in: 30...120, using: &generator)
    )
    let x = Double.random(in: 0...frame.width - boxWidth, using: &generator)
    let y = Double.random(in: 0...frame.height - boxHeight, using: &generator)
    let score = Double.random(in: faults.falseScores, using: &generator)
    if isFalse {
      frame.detections.append(
        BoxDetection(box: PixelRect(x: x, y: y, width: boxWidth, height: boxHeight), score: score))
    }
  }

  /// Returns an approximately normally distributed number: a sum of twelve uniform numbers, which needs no function
  /// whose result differs between platforms.
  private static func normal(_ generator: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }
}
