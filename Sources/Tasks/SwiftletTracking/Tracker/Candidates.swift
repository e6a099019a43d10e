public import SwiftletImage

/// A detection that can be matched with a track.
struct Candidate: Sendable, Hashable {
  var box: PixelRect
  var score: Double
  /// The index of the detection in the caller's array.
  var index: Int
  var appearance: Appearance?
  /// Whether the candidate is matched with a track.
  var isTaken = false

  /// Returns whether this candidate precedes `other`. The order is independent of the input order: by descending score,
  /// then by position. The index decides only between equal detections.
  func precedes(_ other: Candidate) -> Bool {
    if score != other.score { return score > other.score }
    if box.x != other.box.x { return box.x < other.box.x }
    if box.y != other.box.y { return box.y < other.box.y }
    if box.width != other.box.width { return box.width < other.box.width }
    if box.height != other.box.height { return box.height < other.box.height }
    return index < other.index
  }
}

/// The best usable detections of a frame, best first. Its memory is reused for the next frame.
struct Candidates: Sendable {
  /// The maximum number of candidates, so that the frame of a broken detector costs no more than a busy one.
  private let limit: Int
  private(set) var list: [Candidate] = []

  init(limit: Int) { self.limit = limit }

  /// Collects the candidates of a frame.
  ///
  /// - Parameters:
  ///   - detections: The detections in any order. Those whose box or score is not finite, whose box is empty, or whose
  ///     box lies outside the frame are skipped.
  ///   - lowThreshold: The minimum score.
  mutating func collect(_ detections: [BoxDetection], lowThreshold: Double, frameWidth: Double, frameHeight: Double) {
    list.removeAll(keepingCapacity: true)
    // Boxes may extend beyond the frame, but not so far that arithmetic becomes meaningless.
    let reach = PixelRect(x: 0, y: 0, width: frameWidth, height: frameHeight).grown(by: 1)
    for index in detections.indices {
      let detection = detections[index]
      guard detection.score >= lowThreshold, detection.box.isUsable,
        detection.box.clipped(width: frameWidth, height: frameHeight).area > 0
      else { continue }
      let box = reach.contains(detection.box) ? detection.box : detection.box.intersection(with: reach)
      insert(Candidate(box: box, score: min(detection.score, 1), index: index, appearance: detection.appearance))
    }
  }

  mutating func take(_ position: Int) { list[position].isTaken = true }

  private mutating func insert(_ candidate: Candidate) {
    if list.count == limit {
      guard let last = list.last, candidate.precedes(last) else { return }
      list.removeLast()
    }
    var position = list.count
    while position > 0, candidate.precedes(list[position - 1]) { position -= 1 }
    list.insert(candidate, at: position)
  }
}

extension PixelRect {
  fileprivate func contains(_ other: PixelRect) -> Bool {
    other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
  }
}

extension PixelRect {
  /// Creates a box around a center.
  public init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// Returns the part of the box inside an image; an empty box, of zero width and height, if no part is inside.
  public func clipped(width: Double, height: Double) -> PixelRect {
    intersection(with: PixelRect(x: 0, y: 0, width: width, height: height))
  }

  /// Returns the box enlarged on each side by a fraction of its own size.
  func grown(by fraction: Double) -> PixelRect {
    PixelRect(
      x: x - fraction * width, y: y - fraction * height, width: width * (1 + 2 * fraction),
      height: height * (1 + 2 * fraction))
  }
}

extension PixelRect {
  /// Returns the prominence of an object in its frame: `score · √(area / frame's area) · (1 − d/2)`, where `d` is the
  /// distance of the box's center from the frame's center, as a fraction of half the diagonal.
  ///
  /// - Parameters:
  ///   - score: The score of the detection, 0…1.
  ///   - frameWidth: The width of the frame, in pixels. Only the part of the box inside the frame counts.
  ///   - frameHeight: The height of the frame, in pixels.
  /// - Returns: The prominence, 0…1; 0 for a box outside the frame.
  public func prominence(score: Double, frameWidth: Double, frameHeight: Double) -> Double {
    let visible = clipped(width: frameWidth, height: frameHeight)
    guard visible.area > 0 else { return 0 }
    let center = visible.center
    let (across, down) = (center.x - frameWidth / 2, center.y - frameHeight / 2)
    let distance = (across * across + down * down).squareRoot()
    let halfDiagonal = (frameWidth * frameWidth + frameHeight * frameHeight).squareRoot() / 2
    return score * (visible.area / (frameWidth * frameHeight)).squareRoot() * (1 - 0.5 * distance / halfDiagonal)
  }
}
