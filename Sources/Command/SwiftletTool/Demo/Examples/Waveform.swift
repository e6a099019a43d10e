import Foundation

/// The outline of a sound's samples.
struct Waveform {
  static let width = 240
  static let height = 60

  /// The lowest and the highest sample of each column.
  private let columns: [(low: Float, high: Float)]

  /// - Parameter samples: in −1…1, at least one for each column.
  init(_ samples: [Float]) {
    columns = (0..<Self.width).map { column in
      let part = samples[(column * samples.count / Self.width)..<((column + 1) * samples.count / Self.width)]
      return (part.min() ?? 0, part.max() ?? 0)
    }
  }

  /// The outline for the `d` of an SVG path: along the highest samples, and back along the lowest.
  var path: String {
    func point(_ column: Int, _ value: Float) -> String {
      let middle = Float(Self.height) / 2
      return String(format: "%d %.1f", column, middle - value * (middle - 1))
    }
    let there = columns.indices.map { point($0, columns[$0].high + 0.01) }
    let back = columns.indices.reversed().map { point($0, columns[$0].low - 0.01) }
    return "M" + (there + back).joined(separator: "L") + "Z"
  }
}
