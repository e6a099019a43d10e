/// The products of rows of the input with columns of weights that an operator computes: sizes, and where the rows lie.
struct MatrixLayout: Sendable {
  /// Pictures (or other slices) with rows of their own.
  var slices = 1
  /// Column groups, each with weights and input channels of its own.
  var groups = 1
  var rows: Int
  /// Columns of one group.
  var columns: Int
  var taps = 1
  var tapDepth: Int
  /// Elements from one row to the next; `nil` when `window` tells where they are.
  var inputDistance: Int?
  var window: WindowRows?
  /// Input elements from one slice, and from one group, to the next.
  var inputSlice = 0
  var inputGroup = 0
  /// Output elements from one slice, one group and one row to the next.
  var outputSlice = 0
  var outputGroup = 0
  var outputDistance: Int

  var depth: Int { taps * tapDepth }
  var multiplyAdds: Int { slices &* groups &* rows &* columns &* depth }
}

extension MatrixLayout {
  /// The product that a convolution is.
  init(_ geometry: WindowGeometry, groupChannels: Int, outputChannels: Int) {
    let window = WindowRows(geometry, channels: groupChannels)
    let groups = geometry.channels / groupChannels
    self.init(
      slices: geometry.batch, groups: groups, rows: window.rows, columns: outputChannels / groups, taps: window.taps,
      tapDepth: window.tapDepth, inputDistance: window.distance, window: window, inputSlice: geometry.pictureCount,
      inputGroup: groupChannels, outputSlice: window.rows * outputChannels, outputGroup: outputChannels / groups,
      outputDistance: outputChannels)
    if let distance = window.distance, window.rows * distance == geometry.pictureCount {
      rows *= slices
      slices = 1
    }
  }
}
