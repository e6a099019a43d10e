import SwiftletTasks

/// Smooths the landmarks of one object over the frames of a video.
///
/// - Source: the filters of MediaPipe's landmark tasks, which work in pixels.
struct LandmarkSmoother: FrameMemory {
  /// The minimum object size in pixels. Landmarks of smaller objects are not smoothed.
  private static let leastSize: Float = 1e-6

  private var filter: OneEuroFilter
  private var values: [Float] = []

  /// Creates a smoother.
  ///
  /// - Parameters:
  ///   - minCutoff: The minimum cutoff frequency; see ``OneEuroFilter``.
  ///   - beta: The speed coefficient; see ``OneEuroFilter``.
  init(minCutoff: Float, beta: Float) { filter = OneEuroFilter(minCutoff: minCutoff, beta: beta) }

  /// The smoother for face, pose, and hand landmarks in an image.
  static let points = LandmarkSmoother(minCutoff: 0.05, beta: 80)
  /// The smoother for world landmarks (in meters).
  static let worldPoints = LandmarkSmoother(minCutoff: 0.1, beta: 40)

  mutating func assign(_ other: LandmarkSmoother) { filter.assign(other.filter) }

  /// Clears the history: the next landmarks are not changed.
  mutating func reset() { filter.reset() }

  /// Smooths positions and depths; visibility and presence don't change.
  ///
  /// - Parameters:
  ///   - objectSize: The size of the object in the image, in pixels.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  mutating func smooth(
    _ points: inout [NormalizedLandmark], objectSize: Float, in geometry: RegionGeometry, at time: Duration
  ) {
    guard objectSize >= Self.leastSize else { return }
    let (width, height) = (geometry.width, geometry.height)
    values.removeAll(keepingCapacity: true)
    for point in points {
      values.append(point.x * width)
      values.append(point.y * height)
      values.append(point.z * width)
    }
    filter.smooth(&values, speedScale: 1 / objectSize, at: time)
    for index in points.indices {
      points[index].x = values[3 * index] / width
      points[index].y = values[3 * index + 1] / height
      points[index].z = values[3 * index + 2] / width
    }
  }

  /// Converts positions and depths to pixels and back, which rounds them. This is the only effect of smoothing on a
  /// first frame.
  static func roundThroughPixels(_ points: inout [NormalizedLandmark], objectSize: Float, in geometry: RegionGeometry) {
    guard objectSize >= leastSize else { return }
    for index in points.indices {
      points[index].x = points[index].x * geometry.width / geometry.width
      points[index].y = points[index].y * geometry.height / geometry.height
      points[index].z = points[index].z * geometry.width / geometry.width
    }
  }

  /// Smooths positions in meters; visibility and presence don't change.
  mutating func smooth(_ points: inout [Landmark], at time: Duration) {
    values.removeAll(keepingCapacity: true)
    for point in points {
      values.append(point.x)
      values.append(point.y)
      values.append(point.z)
    }
    filter.smooth(&values, speedScale: 1, at: time)
    for index in points.indices {
      points[index].x = values[3 * index]
      points[index].y = values[3 * index + 1]
      points[index].z = values[3 * index + 2]
    }
  }
}

/// Smooths the visibility of landmarks, independent of the time between frames.
///
/// - Source: the visibility filter of MediaPipe's pose tasks.
struct VisibilitySmoother: FrameMemory {
  private static let share: Float = 0.1
  private var smoothed: [Float] = []

  mutating func assign(_ other: VisibilitySmoother) { smoothed.assign(other.smoothed) }

  /// Smooths the values of a frame in place; the values of the first frame don't change.
  mutating func smooth(_ values: inout [Float]) {
    if smoothed.count != values.count {
      smoothed.assign(values)
      return
    }
    for index in values.indices {
      smoothed[index] = LowPass.mix(values[index], share: Self.share, into: smoothed[index])
      values[index] = smoothed[index]
    }
  }
}
