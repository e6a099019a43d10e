import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Smoothing of landmarks")
struct LandmarkSmootherTests {
  /// A one-euro filter of a single number by the formulas of the paper, in double precision.
  private struct Reference {
    var minCutoff: Double
    var beta: Double
    var last: (time: Double, raw: Double, smoothed: Double, speed: Double)?

    mutating func next(_ value: Double, at time: Double, scale: Double) -> Double {
      guard let last else {
        self.last = (time, value, value, 0)
        return value
      }
      let frequency = 1 / (time - last.time)
      func share(_ cutoff: Double) -> Double { 1 / (1 + frequency / (2 * Double.pi * cutoff)) }
      let speed = share(1) * (value - last.raw) * scale * frequency + (1 - share(1)) * last.speed
      let weight = share(minCutoff + beta * abs(speed))
      let smoothed = weight * value + (1 - weight) * last.smoothed
      self.last = (time, value, smoothed, speed)
      return smoothed
    }
  }

  /// Returns the geometry of an image that is twice as wide as high.
  private func geometry() throws -> RegionGeometry {
    RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 200 * 100 * 3), width: 200, height: 100))
  }

  /// Timestamps in milliseconds, with two landmarks each.
  private static let frames: [(time: Int, points: [[Float]])] = [
    (1000, [[0.5, 0.25, 0.125], [0.1, 0.2, 0.3]]), (1040, [[0.52, 0.27, 0.15], [0.1, 0.1, 0.1]]),
    (1060, [[0.51, 0.3, 0.1], [0.15, 0.15, 0.2]]), (1160, [[0.6, 0.2, 0.2], [0.16, 0.12, 0.25]]),
    (1170, [[0.5, 0.25, 0.125], [0.1, 0.2, 0.3]]),
  ]

  @Test("landmarks of single images are rounded like those of a first frame", arguments: [0, 50])
  func roundsFirstFrames(size: Float) throws {
    let geometry = RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 47 * 31 * 3), width: 47, height: 31))
    let points = (1..<200).map { index in
      NormalizedLandmark(x: 1 / Float(index), y: 3 / Float(index), z: 7 / Float(index), visibility: 0.5, presence: 0.25)
    }
    var (smoothed, rounded) = (points, points)
    var smoother = LandmarkSmoother.points
    smoother.smooth(&smoothed, objectSize: size, in: geometry, at: .milliseconds(40))
    LandmarkSmoother.roundThroughPixels(&rounded, objectSize: size, in: geometry)
    #expect(rounded == smoothed)
    #expect((rounded == points) == (size == 0))
  }

  @Test("landmarks are filtered in pixels, z like x, by their speed relative to the object size")
  func points() throws {
    let (geometry, size) = (try geometry(), Float(50))
    var smoother = LandmarkSmoother(minCutoff: 0.05, beta: 80)
    var references = [Reference](repeating: Reference(minCutoff: 0.05, beta: 80), count: 6)
    for (time, points) in Self.frames {
      var landmarks = points.map { NormalizedLandmark(x: $0[0], y: $0[1], z: $0[2], visibility: 0.5, presence: 0.25) }
      smoother.smooth(&landmarks, objectSize: size, in: geometry, at: .milliseconds(time))
      for (index, point) in points.enumerated() {
        let found = [landmarks[index].x, landmarks[index].y, landmarks[index].z]
        for axis in 0..<3 {
          let side = axis == 1 ? 100.0 : 200.0
          let expected = references[3 * index + axis].next(
            Double(point[axis]) * side, at: Double(time) / 1000, scale: 1 / Double(size))
          #expect(abs(Double(found[axis]) * side - expected) < 1e-3, "\(time) \(index) \(axis)")
        }
        #expect(landmarks[index].visibility == 0.5 && landmarks[index].presence == 0.25)
      }
    }
  }

  @Test("world landmarks are filtered in meters")
  func worldPoints() {
    var smoother = LandmarkSmoother(minCutoff: 0.1, beta: 40)
    var references = [Reference](repeating: Reference(minCutoff: 0.1, beta: 40), count: 6)
    for (time, points) in Self.frames {
      var landmarks = points.map { Landmark(x: $0[0], y: $0[1], z: $0[2]) }
      smoother.smooth(&landmarks, at: .milliseconds(time))
      for (index, point) in points.enumerated() {
        let found = [landmarks[index].x, landmarks[index].y, landmarks[index].z]
        for axis in 0..<3 {
          let expected = references[3 * index + axis].next(Double(point[axis]), at: Double(time) / 1000, scale: 1)
          #expect(abs(Double(found[axis]) - expected) < 1e-5, "\(time) \(index) \(axis)")
        }
      }
    }
  }

  @Test("shared filters have MediaPipe's constants")
  func constants() throws {
    let geometry = try geometry()
    var (points, worldPoints) = (LandmarkSmoother.points, LandmarkSmoother.worldPoints)
    var one = [NormalizedLandmark(x: 0.5, y: 0.5, z: 0)]
    var other = [Landmark(x: 0.5, y: 0.5, z: 0)]
    points.smooth(&one, objectSize: 100, in: geometry, at: .seconds(1))
    worldPoints.smooth(&other, at: .seconds(1))
    (one[0].x, other[0].x) = (0.501, 0.501)
    points.smooth(&one, objectSize: 100, in: geometry, at: .milliseconds(1040))
    worldPoints.smooth(&other, at: .milliseconds(1040))
    var expected = Reference(minCutoff: 0.05, beta: 80)
    _ = expected.next(100, at: 1, scale: 0.01)
    #expect(abs(Double(one[0].x) * 200 - expected.next(100.2, at: 1.04, scale: 0.01)) < 1e-4)
    var worldExpected = Reference(minCutoff: 0.1, beta: 40)
    _ = worldExpected.next(0.5, at: 1, scale: 1)
    #expect(abs(Double(other[0].x) - worldExpected.next(0.501, at: 1.04, scale: 1)) < 1e-6)
  }

  @Test("objects without a size are unchanged, and don't affect the filter")
  func size() throws {
    let geometry = try geometry()
    var smoother = LandmarkSmoother(minCutoff: 0.05, beta: 0)
    func smoothed(_ x: Float, _ size: Float, _ time: Int) -> Float {
      var landmarks = [NormalizedLandmark(x: x, y: 0, z: 0)]
      smoother.smooth(&landmarks, objectSize: size, in: geometry, at: .milliseconds(time))
      return landmarks[0].x
    }
    #expect(smoothed(0.5, 50, 1000) == 0.5)
    for size in [0, Float(1e-6).nextDown, -1, .nan] { #expect(smoothed(1, size, 1100) == 1) }
    let next = smoothed(0.75, 1e-6, 1200)
    #expect(next < 0.75 && next > 0.5)
  }

  @Test("visibility smoothing restarts if the landmarks change")
  func visibility() {
    var smoother = VisibilitySmoother()
    var values: [Float] = [1, 0]
    smoother.smooth(&values)
    values = [0, 1]
    smoother.smooth(&values)
    values = [0, 1]
    smoother.smooth(&values)
    #expect(abs(values[0] - 0.81) < 1e-6 && abs(values[1] - 0.19) < 1e-6)
    values = [0.5]
    smoother.smooth(&values)
    #expect(values == [0.5])
  }

  /// A smoother that remembers all values since the subject was lost.
  private struct Past: SubjectSmoother {
    var values: [Int] = []

    mutating func lose() { values.removeAll() }
    mutating func assign(_ other: Past) { values = other.values }
  }

  @Test("a single subject has one history, kept in frames that don't track it, and lost in frames without it")
  func single() {
    var smoothers = Smoothers<Past>(isSingle: true)
    func frame(_ value: Int?, isFollowed: Bool = true) -> [Int] {
      var past: [Int] = []
      if let value {
        smoothers.smooth(nil) { smoother in
          smoother.values.append(value)
          past = smoother.values
          return isFollowed
        }
      }
      smoothers.endFrame()
      return past
    }
    #expect([frame(1), frame(2)] == [[1], [1, 2]])
    _ = frame(nil)
    #expect([frame(3), frame(4, isFollowed: false), frame(5)] == [[3], [3, 4], [5]])
  }

  @Test("each object keeps its own history, and a new one has none")
  func identities() {
    var smoothers = Smoothers<Past>(isSingle: false)
    func frame(_ things: [(identity: Int?, value: Int)]) -> [[Int]] {
      let found = things.map { thing in
        var past: [Int] = []
        smoothers.smooth(thing.identity) { smoother in
          smoother.values.append(thing.value)
          past = smoother.values
          return true
        }
        return past
      }
      smoothers.endFrame()
      return found
    }
    #expect(frame([(nil, 1), (nil, 2)]) == [[1], [2]])
    #expect(frame([(1, 3), (nil, 4), (0, 5)]) == [[2, 3], [4], [1, 5]])
    #expect(frame([(2, 6), (3, 7), (-1, 8)]) == [[1, 5, 6], [7], [8]])
    #expect(frame([]).isEmpty)
    #expect(frame([(0, 9)]) == [[9]])
  }
}
