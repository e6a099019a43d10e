import SwiftletEngine
import SwiftletBase

/// Where the taps of rows lie in the input: the rows of a matrix that a convolution multiplies with its weights,
/// without copying them.
///
/// A position counts elements from the start of an image (and group); a negative one stands for padding.
struct WindowTable: Sendable {
  typealias Fill = @Sendable (_ first: Int, _ end: Int, UnsafeMutablePointer<Int32>) -> Void

  /// Taps of a row.
  let taps: Int
  /// Whether there may be negative positions, so that a row of zeros is needed.
  let readsPadding: Bool
  private let fill: Fill
  private let entries: AlignedBytes?

  /// Tables up to this many entries are made once, larger ones piece by piece in the run.
  private static let longest = 1 << 24

  /// - Parameters:
  ///   - context: says whether there is room to keep the table; without one there is.
  ///   - fill: writes the positions of the rows from `first` to before `end`.
  init(_ context: PrepareContext?, rows: Int, taps: Int, readsPadding: Bool, fill: @escaping Fill) {
    self.taps = taps
    self.readsPadding = readsPadding
    self.fill = fill
    let (count, overflow) = rows.multipliedReportingOverflow(by: taps)
    guard !overflow, count <= Self.longest,
      context?.takesTable(bytes: count * MemoryLayout<Int32>.size) ?? true
    else {
      entries = nil
      return
    }
    let bytes = AlignedBytes(zeroed: count * MemoryLayout<Int32>.size)
    fill(0, rows, bytes.start.assumingMemoryBound(to: Int32.self))
    entries = bytes
  }

  /// Whether the run makes the positions, piece by piece.
  var isMadeInRun: Bool { entries == nil }

  /// Worker scratch that `positions(_:scratch:)` needs for ranges of `rows` rows, in bytes.
  func scratchBytes(rows: Int) -> Int { entries == nil ? rows * taps * MemoryLayout<Int32>.size : 0 }

  /// The positions of the taps of some rows.
  func positions(_ rows: Range<Int>, scratch: UnsafeMutableRawPointer) -> UnsafePointer<Int32> {
    if let entries {
      return UnsafePointer(entries.start.assumingMemoryBound(to: Int32.self) + rows.lowerBound * taps)
    }
    let positions = scratch.assumingMemoryBound(to: Int32.self)
    fill(rows.lowerBound, rows.upperBound, positions)
    return UnsafePointer(positions)
  }
}
