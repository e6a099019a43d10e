/// A transposed convolution as ordinary ones: output pixels whose windows hit the same filter elements form a phase, and every phase is a
/// convolution with stride 1 and those elements.
struct TransposedWindow: Sendable, Hashable {
  /// One axis: `output · stride − padding + element` counts the output positions that an input element adds to.
  struct Axis: Sendable, Hashable {
    let inputSize: Int
    let outputSize: Int
    let windowSize: Int
    let stride: Int
    let padding: Int

    /// Output positions `first, first + stride, …` see the filter elements `phase, phase + stride, …`, at input positions that
    /// go up by one from position to position and down by one from element to element.
    struct Phase {
      let first: Int
      let count: Int
      let elements: [Int]
      /// The input position of the first element at the first output position.
      let input: Int
    }

    var phases: [Phase] {
      (0..<min(stride, outputSize)).map { first in
        let shifted = first + padding
        let phase = shifted % stride
        return Phase(
          first: first, count: (outputSize - first + stride - 1) / stride,
          elements: Array(Swift.stride(from: phase, to: windowSize, by: stride)), input: shifted / stride)
      }
    }
  }

  let batch: Int
  let height: Axis
  let width: Axis
  let inputChannels: Int
  let outputChannels: Int

  /// Every phase has packed weights of its own.
  private static let mostPhases = 4096

  /// The products of all phases.
  ///
  /// - Throws: when there are too many of them, or pictures are too large.
  func layouts(_ node: NodeView) throws -> [MatrixLayout] {
    let pixels = Shape([height.inputSize, width.inputSize, inputChannels]).elementCount
    let phases = Shape([min(height.stride, height.outputSize), min(width.stride, width.outputSize)]).elementCount
    guard pixels <= Int(Int32.max), phases <= Self.mostPhases else {
      throw RuntimeError(
        .limitExceeded,
        "an input picture of \(pixels) elements or strides of \(height.stride)×\(width.stride) are more than the engine's tables hold",
        location: node.node.location)
    }
    try MatrixLayout.require(places: Shape([batch, height.outputSize, phases]).elementCount, node)
    return height.phases.flatMap { down in width.phases.map { across in layout(down, across) } }
  }

  private func layout(_ down: Axis.Phase, _ across: Axis.Phase) -> MatrixLayout {
    let positions = down.elements.flatMap { row in
      across.elements.map { (row * width.windowSize + $0) * inputChannels }
    }
    var layout = MatrixLayout(
      rows: across.count, columns: outputChannels, taps: max(1, positions.count), tapDepth: inputChannels,
      outputDistance: width.stride * outputChannels,
      // Pixels that no filter element reaches are a product with a tap of zeros.
      weights: .init(
        columnStride: height.windowSize * width.windowSize * inputChannels,
        tapPositions: positions.isEmpty ? [-1] : positions))
    let isInside =
      across.input + across.count <= width.inputSize && down.input + down.count <= height.inputSize
      && positions.count == 1
    if isInside {
      layout.inputDistance = inputChannels
    } else {
      layout.windows = table(down, across)
    }
    layout.places = (0..<batch).flatMap { picture in
      (0..<down.count).map { line in
        let row = picture * height.outputSize + down.first + line * height.stride
        let start = isInside ? ((down.input + line) * width.inputSize + across.input) * inputChannels : 0
        return MatrixLayout.Place(
          input: picture * height.inputSize * width.inputSize * inputChannels + start, weights: 0,
          output: (row * width.outputSize + across.first) * outputChannels, firstWindow: line * across.count,
          slice: picture)
      }
    }
    return layout
  }

  private func table(_ down: Axis.Phase, _ across: Axis.Phase) -> WindowTable {
    let height = height, width = width, channels = inputChannels
    let lines = down.elements.count, columns = across.elements.count
    return WindowTable(rows: down.count * across.count, taps: max(1, lines * columns), readsPadding: true) {
      pixels, positions in
      var next = positions
      for pixel in pixels {
        if lines &* columns == 0 {
          next.pointee = -1
          next += 1
        }
        for line in 0..<lines {
          let row = down.input &+ pixel / across.count &- line
          for column in 0..<columns {
            let x = across.input &+ pixel % across.count &- column
            let isInside = row >= 0 && row < height.inputSize && x >= 0 && x < width.inputSize
            next.pointee = isInside ? Int32(truncatingIfNeeded: (row &* width.inputSize &+ x) &* channels) : -1
            next += 1
          }
        }
      }
    }
  }
}
