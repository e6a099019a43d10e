import SwiftletTracking

/// The scenes of the suite, one for each difficulty in tracking.
enum SyntheticScenes {
  struct Entry {
    var scene: SyntheticScene
    var target = SyntheticSuite.Target.clean
    var reported = 5
  }

  static var all: [Entry] {
    [
      Entry(scene: crossing(isHidden: false)), Entry(scene: crossing(isHidden: true)), Entry(scene: stopAndGo),
      Entry(scene: occlusion(seconds: 0.3)), Entry(scene: occlusion(seconds: 0.8)),
      Entry(scene: occlusion(seconds: 1.5)),
      Entry(scene: leaveAndReturn), Entry(scene: scaling), Entry(scene: overTheCap),
      Entry(scene: missing, target: .missing),
      Entry(scene: scoreDips), Entry(scene: still), Entry(scene: doubles), Entry(scene: rateChange),
      Entry(scene: droppedFrames),
      // Boxes alone cannot distinguish camera motion from object motion, so some identities of objects that meet are
      // swapped.
      Entry(scene: resolutionChange),
      Entry(scene: shaking, target: SyntheticSuite.Target(mota: 0.98, idf1: 0.92, identitySwitches: 10)),
      Entry(scene: falseDetections, target: SyntheticSuite.Target(mota: 0.98, idf1: 0.98, identitySwitches: 0)),
      Entry(
        scene: hardCrowd, target: SyntheticSuite.Target(mota: 0.85, idf1: 0.85, identitySwitches: nil), reported: 20),
    ]
  }

  private static let persons: (width: Double, height: Double) = (50, 110)

  /// Returns a scene with two crossing objects. In the second variant, the one behind isn't detected while it is
  /// hidden.
  private static func crossing(isHidden: Bool) -> SyntheticScene {
    var behind = SceneObject.moving(1, from: (60, 220), to: (580, 240), size: persons, during: 0..<8)
    behind.isBehind = isHidden
    let before = SceneObject.moving(2, from: (580, 250), to: (60, 225), size: (60, 120), during: 0..<8)
    let beside = SceneObject.swinging(3, around: (320, 80), by: (120, 0), size: (90, 60), period: 6, phase: 0.1)
    return SyntheticScene(
      name: isHidden ? "crossing-hidden" : "crossing", times: SyntheticScene.times(seconds: 10),
      objects: [behind, before, beside])
  }

  /// Objects that stop for a while and continue, some of them in the opposite direction.
  private static var stopAndGo: SyntheticScene {
    func walker(_ identity: Int, y: Double, delay: Double) -> SceneObject {
      SceneObject(identity: identity) { time in
        let phase = (time + delay) - ((time + delay) / 4).rounded(.down) * 4
        // One second forward, one second of rest, one second back, one second of rest.
        let share = phase < 1 ? phase : phase < 2 ? 1 : phase < 3 ? 3 - phase : 0
        return .init(centerX: 120 + 260 * share, centerY: y, width: 60, height: 90)
      }
    }
    return SyntheticScene(
      name: "stop-and-go", times: SyntheticScene.times(seconds: 12),
      objects: [walker(1, y: 80, delay: 0), walker(2, y: 240, delay: 1.3), walker(3, y: 400, delay: 2.7)])
  }

  /// One of four objects is hidden for a while as it moves. After more than a second, it counts as another object.
  private static func occlusion(seconds: Double) -> SyntheticScene {
    let end = 5 + seconds
    var objects = (1...3).map { number in
      SceneObject.swinging(
        number, around: (320, 40 + 110 * Double(number)), by: (200, 0), size: (60, 80), period: 9,
        phase: 0.23 * Double(number))
    }
    func hidden(_ identity: Int, exists: Range<Double>) -> SceneObject {
      var object = SceneObject.moving(
        identity, from: (60, 50), to: (580, 50), size: (90, 70), during: 0..<20, exists: exists)
      object.hidden = [5..<end]
      return object
    }
    objects +=
      seconds > 1 ? [hidden(10, exists: 0..<end), hidden(11, exists: end..<1e9)] : [hidden(10, exists: 0..<1e9)]
    return SyntheticScene(name: "occlusion-\(seconds)s", times: SyntheticScene.times(seconds: 20), objects: objects)
  }

  /// An object leaves at one side. Two seconds later, another one enters there, which has a new identity because boxes
  /// alone cannot tell. This repeats.
  private static var leaveAndReturn: SyntheticScene {
    var objects = [SceneObject.swinging(1, around: (320, 400), by: (200, 0), size: (70, 100), period: 8, phase: 0)]
    for round in 0..<4 {
      let turn = 8 * Double(round)
      objects.append(
        SceneObject(identity: 10 + round) { time in
          guard abs(time - turn) < 3 else { return nil }
          return PixelRect(centerX: 320 + 140 * abs(time - turn), centerY: 120, width: 80, height: 100)
        })
    }
    return SyntheticScene(name: "leave-and-return", times: SyntheticScene.times(seconds: 24), objects: objects)
  }

  /// One object becomes four times as large within a second and stays; another becomes smaller as fast.
  private static var scaling: SyntheticScene {
    SyntheticScene(
      name: "scale-4x", times: SyntheticScene.times(seconds: 6),
      objects: [
        .moving(1, from: (160, 240), to: (170, 240), size: (60, 80), during: 2..<3, growth: 4),
        .moving(2, from: (480, 240), to: (470, 240), size: (240, 320), during: 3..<4, growth: 0.25),
      ])
  }

  /// Five objects are present from the start. Three larger ones appear later and must not replace them.
  private static var overTheCap: SyntheticScene {
    let first = (0..<5).map { number in
      SceneObject.swinging(
        number, around: (70 + 125 * Double(number), 120), by: (20, 15), size: (60, 80), period: 5,
        phase: 0.2 * Double(number))
    }
    let late = (0..<3).map { number in
      var object = SceneObject.moving(
        10 + number, from: (150 + 170 * Double(number), 340), to: (150 + 170 * Double(number), 330), size: (140, 200),
        during: 0..<10, exists: 2..<1e9)
      object.isEvaluated = false
      return object
    }
    return SyntheticScene(name: "five-of-eight", times: SyntheticScene.times(seconds: 10), objects: first + late)
  }

  private static var missing: SyntheticScene {
    crowd("misses-20", objects: 4, seconds: 20) { $0.faults.missRate = 0.2 }
  }

  private static var scoreDips: SyntheticScene {
    crowd("score-dips", objects: 4, seconds: 10) { $0.faults.dips = (frames: 5, period: 30, score: 0.2) }
  }

  /// A motionless box whose detected edges fluctuate.
  private static var still: SyntheticScene {
    var scene = SyntheticScene(
      name: "still-jitter", times: SyntheticScene.times(seconds: 10),
      objects: [.moving(1, from: (300, 200), to: (300, 200), size: (80, 120), during: 0..<1)])
    scene.faults.noise = 0
    scene.faults.jitter = 2
    return scene
  }

  private static var doubles: SyntheticScene {
    crowd("doubled-detections", objects: 4, seconds: 10) { $0.faults.doubles = true }
  }

  /// Thirty frames per second, then ten, then three.
  private static var rateChange: SyntheticScene {
    crowd("rate-30-10-3", objects: 4, seconds: 10) {
      let fast: [Double] = (0..<150).map { Double($0) / 30 }
      let slow: [Double] = (0..<50).map { 5 + Double($0) / 10 }
      let slowest: [Double] = (0..<15).map { 10 + Double($0) / 3 }
      $0.times = fast + slow + slowest
    }
  }

  /// Up to five consecutive frames are dropped; the remaining ones have correct timestamps.
  private static var droppedFrames: SyntheticScene {
    crowd("dropped-frames", objects: 4, seconds: 14) {
      $0.times = $0.times.enumerated().filter { index, _ in index % 13 < 8 && index % 7 != 3 }.map(\.element)
    }
  }

  /// The frames change to portrait orientation in the middle; every object has a new identity after that.
  private static var resolutionChange: SyntheticScene {
    func half(_ offset: Int, _ exists: Range<Double>) -> [SceneObject] {
      (0..<3).map { number in
        let object = SceneObject.swinging(
          number + offset, around: (320, 100 + 140 * Double(number)), by: (180, 0), size: (70, 90), period: 7,
          phase: 0.3 * Double(number))
        return SceneObject(identity: object.identity) { exists.contains($0) ? object.place($0) : nil }
      }
    }
    var scene = SyntheticScene(
      name: "resolution-change", times: SyntheticScene.times(seconds: 10), objects: half(0, 0..<5) + half(10, 5..<1e9))
    scene.resize = (time: 5, width: 480, height: 640)
    return scene
  }

  private static var shaking: SyntheticScene {
    crowd("camera-shake", objects: 5, seconds: 10) { $0.shake = 6 }
  }

  private static var falseDetections: SyntheticScene {
    crowd("false-detections", objects: 5, seconds: 20) { $0.faults.falseRate = 0.5 }
  }

  /// All faults at once.
  private static var hardCrowd: SyntheticScene {
    crowd("crowd-all-faults", objects: 12, seconds: 20) {
      $0.faults = DetectorFaults(noise: 0.02, scores: 0.3...0.95, missRate: 0.1, falseRate: 0.3)
      $0.shake = 2
      for index in $0.objects.indices { $0.objects[index].isBehind = true }
    }
  }

  /// Returns objects of several sizes that move through the image on their own lines and meet.
  ///
  /// - Parameter change: A closure that changes the crowd without faults.
  static func crowd(
    _ name: String? = nil, objects: Int, seconds: Double, _ change: (inout SyntheticScene) -> Void = { _ in }
  ) -> SyntheticScene {
    let all = (0..<objects).map { number in
      let row = Double(number)
      let size = (width: 40 + 10 * Double(number % 4), height: 60 + 15 * Double(number % 3))
      let center = (x: 260 + 30 * Double(number % 5), y: 60 + 360 * (row + 0.5) / Double(objects))
      let reach = (x: 130 + 20 * Double(number % 5), y: 10 * Double(number % 3))
      return SceneObject.swinging(
        number + 1, around: center, by: reach, size: size, period: 5 + 0.9 * Double(number % 6), phase: 0.37 * row)
    }
    var scene = SyntheticScene(
      name: name ?? "crowd-\(objects)", times: SyntheticScene.times(seconds: seconds), objects: all)
    change(&scene)
    return scene
  }
}
