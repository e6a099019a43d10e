import SwiftletEngine

/// How the window of a convolution becomes a row of taps, each a run of `tapDepth` contiguous elements.
///
/// Window elements that are neighbours in memory for every output pixel become one tap.
struct WindowRows {
  let taps: Int
  let tapDepth: Int
  /// Elements from one row to the next when rows have one tap and equal distances: then no table is needed.
  let distance: Int?
  private let geometry: WindowGeometry
  private let mergesColumns: Bool

  /// - Parameters:
  ///   - channels: channels of the input that one output channel sees, fewer than all in grouped convolutions.
  ///   - isMerging: false keeps every window element a tap of its own.
  init(_ geometry: WindowGeometry, channels: Int, isMerging: Bool = true) {
    self.geometry = geometry
    let height = geometry.height, width = geometry.width
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
    guard mergesRows || isSingle else {
      distance = nil
      return
    }
    let across = width.stride * geometry.channels
    let down = height.stride * rowElements
    if width.outputSize <= 1 {
      distance = down
    } else {
      distance = height.outputSize <= 1 || down == width.outputSize * across ? across : nil
    }
  }

  /// The positions of all taps of all output pixels.
  ///
  /// - Parameter context: see `WindowTable`.
  func table(_ context: PrepareContext? = nil) -> WindowTable {
    let height = geometry.height, width = geometry.width, channels = geometry.channels
    let columns = mergesColumns ? 1 : width.windowSize
    let lines = taps / columns
    return WindowTable(context, rows: geometry.pixels, taps: taps, readsPadding: !(height.isInside && width.isInside)) {
      first, end, positions in
      var next = positions
      for pixel in first..<end {
        let top = height.start(pixel / width.outputSize), left = width.start(pixel % width.outputSize)
        for line in 0..<lines {
          let row = top &+ line &* height.dilation
          let isRowInside = row >= 0 && row < height.inputSize
          for column in 0..<columns {
            let x = left &+ column &* width.dilation
            let isInside = isRowInside && x >= 0 && x < width.inputSize
            next.pointee = isInside ? Int32(truncatingIfNeeded: (row &* width.inputSize &+ x) &* channels) : -1
            next += 1
          }
        }
      }
    }
  }
}
