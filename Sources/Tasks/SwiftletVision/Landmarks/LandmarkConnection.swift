/// Two points of a thing that a drawing of it joins, such as two joints of a finger.
public struct LandmarkConnection: Sendable, Hashable {
  /// The number of the point at which the line begins.
  public var start: Int
  /// The number of the point at which the line ends.
  public var end: Int

  /// A line between two points.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Lines between points that are written one after the other: the first two are a line, the next two another one.
  ///
  /// Long lists of numbers compile faster than lists of anything else.
  static func pairs(_ points: [Int]) -> [LandmarkConnection] {
    stride(from: 0, to: points.count - 1, by: 2).map { LandmarkConnection(start: points[$0], end: points[$0 + 1]) }
  }
}
