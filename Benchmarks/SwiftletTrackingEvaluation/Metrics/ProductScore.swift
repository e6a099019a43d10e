import SwiftletTracking

/// Metrics from the viewpoint of a tracker's user, in addition to the benchmark metrics.
package struct ProductScore: Sendable, Hashable {
  /// Sums over sequences, so that means over several sequences can be computed.
  private var switches = 0
  private var fragments = 0
  private var identities = 0
  private var seconds = 0.0
  private var waits: [Double] = []
  private var jitters: [Double] = []

  /// The number of ID switches per minute.
  package var switchesPerMinute: Double { seconds > 0 ? Double(switches) * 60 / seconds : 0 }
  /// The number of times that an object is lost and found again.
  package var fragmentsPerObject: Double { Double(fragments) / Double(max(1, identities)) }
  /// The mean time in seconds from an object's first appearance to its first box, over the objects with a box; `nil` if
  /// there are none.
  package var timeToFirstBox: Double? { waits.isEmpty ? nil : waits.reduce(0, +) / Double(waits.count) }
  /// The standard deviation of the box center of a motionless object, in pixels; `nil` if all objects move.
  package var jitter: Double? { jitters.isEmpty ? nil : jitters.reduce(0, +) / Double(jitters.count) }

  init() {}

  /// Computes the score.
  ///
  /// - Parameters:
  ///   - times: The times of the frames, in seconds.
  init(
    _ data: FrameOverlaps, clear: ClearScore, matches: [ClearScore.Match], truth: [[IdentifiedBox]],
    output: [[IdentifiedBox]], times: [Double]
  ) {
    switches = clear.identitySwitches
    fragments = clear.fragments
    identities = data.truthIdentities
    seconds = max(0, (times.last ?? 0) - (times.first ?? 0))
    var appearances = [Int?](repeating: nil, count: data.truthIdentities)
    var places = [[PixelRect]](repeating: [], count: data.truthIdentities)
    for (number, frame) in data.frames.enumerated() {
      for (row, identity) in frame.truth.enumerated() {
        appearances[identity] = appearances[identity] ?? number
        places[identity].append(truth[number][row].box)
      }
    }
    var centers = [[(x: Double, y: Double)]](repeating: [], count: data.truthIdentities)
    for match in matches {
      if centers[match.truth].isEmpty, let appearance = appearances[match.truth] {
        waits.append(times[match.frame] - times[appearance])
      }
      centers[match.truth].append(output[match.frame][match.column].box.center)
    }
    for identity in places.indices where Set(places[identity]).count == 1 && centers[identity].count > 1 {
      jitters.append(Self.deviation(centers[identity]))
    }
  }

  private static func deviation(_ points: [(x: Double, y: Double)]) -> Double {
    let count = Double(points.count)
    let mean = points.reduce((x: 0.0, y: 0.0)) { ($0.x + $1.x / count, $0.y + $1.y / count) }
    let squares = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.x - mean.x) + ($1.y - mean.y) * ($1.y - mean.y) }
    return (squares / count).squareRoot()
  }

  static func + (left: ProductScore, right: ProductScore) -> ProductScore {
    var sum = left
    sum.switches += right.switches
    sum.fragments += right.fragments
    sum.identities += right.identities
    sum.seconds += right.seconds
    sum.waits += right.waits
    sum.jitters += right.jitters
    return sum
  }
}
