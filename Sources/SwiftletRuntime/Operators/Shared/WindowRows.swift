import SwiftletFlatBuffers
import SwiftletKernels

/// Where the window of every output pixel lies in the input: the rows of the matrix that a convolution multiplies with its
/// weights, without copying them.
///
/// A row is a list of taps, each a run of `tapDepth` contiguous elements. Window elements that are neighbours in memory for every
/// pixel become one tap.
struct WindowRows: Sendable {
  /// Output pixels of one picture.
  let rows: Int
  let taps: Int
  let tapDepth: Int
  /// Elements from one row to the next when rows have one tap and equal distances: then no table is needed.
  let distance: Int?
  private let geometry: WindowGeometry
  private let mergesColumns: Bool
  private let table: AlignedBytes?

  /// Tables up to this many entries are made once, larger ones piece by piece in the run.
  private static let longestTable = 1 << 24

  /// - Parameters:
  ///   - channels: channels of the input that one output channel sees, fewer than all in grouped convolutions.
  ///   - isMerging: false keeps every window element a tap of its own, and in the table.
  init(_ geometry: WindowGeometry, channels: Int, isMerging: Bool = true) {
    self.geometry = geometry
    let height = geometry.height, width = geometry.width
    rows = geometry.pixels
    mergesColumns = isMerging && width.isInside && width.dilation == 1 && channels == geometry.channels
    let rowElements = width.inputSize * geometry.channels
    let mergesRows =
      mergesColumns && height.isInside && height.dilation == 1
      && (height.windowSize == 1 || width.windowSize == width.inputSize)
    let runs = mergesColumns ? 1 : width.windowSize
    let runDepth = mergesColumns ? width.windowSize * channels : channels
    taps = mergesRows ? 1 : height.windowSize * runs
    tapDepth = mergesRows ? height.windowSize * runDepth : runDepth

    let isSingle = isMerging && height.isInside && width.isInside && height.windowSize * width.windowSize == 1
    if mergesRows || isSingle {
      let across = width.stride * geometry.channels
      let down = height.stride * rowElements
      if width.outputSize <= 1 {
        distance = down
      } else {
        distance = height.outputSize <= 1 || down == width.outputSize * across ? across : nil
      }
    } else {
      distance = nil
    }
    let (entries, overflow) = rows.multipliedReportingOverflow(by: taps)
    if distance == nil, !overflow, entries <= Self.longestTable {
      let bytes = AlignedBytes(zeroed: entries * MemoryLayout<Int32>.size)
      let offsets = bytes.start.assumingMemoryBound(to: Int32.self)
      Self.fill(offsets, 0..<rows, geometry, mergesColumns: mergesColumns, taps: taps)
      table = bytes
    } else {
      table = nil
    }
  }

  /// Whether a tap may lie outside of the input, so that a row of zeros is needed.
  var readsPadding: Bool { !(geometry.height.isInside && geometry.width.isInside) }

  /// Worker scratch that `offsets(_:scratch:)` needs for ranges of `rows` rows, in bytes.
  func scratchBytes(rows: Int) -> Int {
    distance == nil && table == nil ? rows * taps * MemoryLayout<Int32>.size : 0
  }

  /// The positions of the taps of some rows, in elements from the first of the picture (and group); negative for padding.
  func offsets(_ range: Range<Int>, scratch: UnsafeMutableRawPointer) -> UnsafePointer<Int32> {
    if let table { return UnsafePointer(table.start.assumingMemoryBound(to: Int32.self) + range.lowerBound * taps) }
    let offsets = scratch.assumingMemoryBound(to: Int32.self)
    Self.fill(offsets, range, geometry, mergesColumns: mergesColumns, taps: taps)
    return UnsafePointer(offsets)
  }

  private static func fill(
    _ offsets: UnsafeMutablePointer<Int32>, _ range: Range<Int>, _ geometry: WindowGeometry, mergesColumns: Bool, taps: Int
  ) {
    let height = geometry.height, width = geometry.width
    let columns = mergesColumns ? 1 : width.windowSize
    let lines = taps / columns
    var next = offsets
    for pixel in range {
      let top = height.start(pixel / width.outputSize), left = width.start(pixel % width.outputSize)
      for line in 0..<lines {
        let row = top &+ line &* height.dilation
        let isRowInside = row >= 0 && row < height.inputSize
        for column in 0..<columns {
          let x = left &+ column &* width.dilation
          let isInside = isRowInside && x >= 0 && x < width.inputSize
          next.pointee =
            isInside ? Int32(truncatingIfNeeded: (row &* width.inputSize &+ x) &* geometry.channels) : -1
          next += 1
        }
      }
    }
  }
}
