import SwiftletBase
import SwiftletImage
import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// The frames of a camera or a video, in which faces have IDs.
///
/// The landmarker tracks each face from frame to frame. A box tracker assigns the IDs, because the landmarker's results
/// have none.
///
/// - Thread safety: callable concurrently; frames are processed one by one.
final class FaceStream: Sendable {
  private let frames: ImageStream<FaceLandmarker>
  private let options: TrackingOptions
  private let tracker = Mutex(BoxTracker?.none)

  /// Creates a stream without frames.
  init(_ landmarker: FaceLandmarker, maxFaces: Int) {
    frames = ImageStream(landmarker)
    var options = TrackingOptions()
    // The landmark model has confirmed every face, so each gets its ID at once.
    options.minHits = 1
    // Faces that are no longer visible keep their slot for a while.
    options.maxReportedTracks = 2 * maxFaces
    options.maxTracks = 2 * maxFaces
    self.options = options
  }

  /// Returns the faces in the next frame with their IDs.
  func faces(in image: InputImage, at time: Duration) throws(TaskError) -> [(SwiftletVision.Face, Int?)] {
    let faces = try frames.output(for: image, at: time)
    let (width, height) = (Double(image.width), Double(image.height))
    let boxes = faces.map { BoxDetection(box: $0.box(in: image), score: 1) }
    let tracks = try tracker.withLock { tracker throws(TaskError) in
      if tracker == nil { tracker = try BoxTracker(options: options, frameWidth: width, frameHeight: height) }
      if let current = tracker, (current.frameWidth, current.frameHeight) != (width, height) {
        tracker?.resize(frameWidth: width, frameHeight: height)
      }
      return tracker?.update(detections: boxes, at: time) ?? []
    }
    return faces.enumerated().map { index, face in (face, tracks.first { $0.detectionIndex == index }?.id) }
  }
}

extension SwiftletVision.Face {
  /// Returns the bounding box of the face mesh, in pixels of the stored image. It may extend beyond the image.
  func box(in image: InputImage) -> PixelRect {
    let (width, height) = (Double(image.width), Double(image.height))
    let mesh = landmarks.prefix(FaceLandmarks.meshCount)
    guard var (left, top) = mesh.first.map({ ($0.x, $0.y) }) else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    var (right, bottom) = (left, top)
    for point in mesh {
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
    return PixelRect(
      x: Double(left) * width, y: Double(top) * height, width: Double(right - left) * width,
      height: Double(bottom - top) * height)
  }
}
