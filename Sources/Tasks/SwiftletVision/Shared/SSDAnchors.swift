import SwiftletBase

/// A reference box that a detector's raw output refines, in fractions of the model's input.
struct Anchor: Sendable, Hashable {
  var centerX: Float
  var centerY: Float
  var width: Float
  var height: Float
}

/// The anchor layout of a single-shot detector.
///
/// - Source: "SSD: Single Shot MultiBox Detector" (Liu et al. 2016), with the conventions of MediaPipe's anchor
///   generator.
struct SSDAnchorLayout: Sendable, Hashable {
  var inputWidth: Int
  var inputHeight: Int
  /// The stride of each layer, in input pixels. Adjacent layers with the same stride share a grid.
  var strides: [Int]
  var minimumScale: Float
  var maximumScale: Float
  var aspectRatios: [Float]
  var offsetX: Float = 0.5
  var offsetY: Float = 0.5
  /// The aspect ratio of an additional anchor per layer, with a scale between those of this layer and the next; 0 for
  /// none.
  var interpolatedAspectRatio: Float
  /// Whether every anchor has size 1 × 1, so that only its center matters.
  var hasFixedSize: Bool

  /// The maximum number of anchors: more than any real detector has, and a limit for hostile models.
  static let maximumCount = 1 << 20

  /// Returns all anchors: by row, then by column, then by layer on the same grid.
  ///
  /// - Throws: `TaskError` for invalid layouts.
  func anchors() throws(TaskError) -> [Anchor] {
    guard !strides.isEmpty, strides.allSatisfy({ $0 > 0 }), inputWidth > 0, inputHeight > 0 else {
      throw .invalidModel("the detector's anchor strides \(strides.excerpt) must be positive")
    }
    var anchors: [Anchor] = []
    var layer = 0
    while layer < strides.count {
      var next = layer
      while next < strides.count, strides[next] == strides[layer] { next += 1 }
      // Count the anchors before any of them is created: strides and ratios are lists from the file, and every pair of
      // them has a size.
      let (sizeCount, overflow) = (next - layer).multipliedReportingOverflow(
        by: aspectRatios.count + (interpolatedAspectRatio > 0 ? 1 : 0))
      let rows = (inputHeight - 1) / strides[layer] + 1
      let columns = (inputWidth - 1) / strides[layer] + 1
      guard !overflow, sizeCount <= Self.maximumCount, rows <= Self.maximumCount, columns <= Self.maximumCount,
        rows * columns <= Self.maximumCount, anchors.count + rows * columns * sizeCount <= Self.maximumCount
      else {
        throw .invalidModel("the detector's anchor layout has more than \(Self.maximumCount) anchors")
      }
      let sizes = (layer..<next).flatMap(self.sizes(ofLayer:))
      for row in 0..<rows {
        for column in 0..<columns {
          let centerX = (Float(column) + offsetX) / Float(columns)
          let centerY = (Float(row) + offsetY) / Float(rows)
          for size in sizes {
            anchors.append(
              Anchor(
                centerX: centerX, centerY: centerY, width: hasFixedSize ? 1 : size.width,
                height: hasFixedSize ? 1 : size.height))
          }
        }
      }
      layer = next
    }
    return anchors
  }

  private func sizes(ofLayer layer: Int) -> [(width: Float, height: Float)] {
    let scale = self.scale(ofLayer: layer)
    var sizes = aspectRatios.map { ratio in
      (width: scale * ratio.squareRoot(), height: scale / ratio.squareRoot())
    }
    if interpolatedAspectRatio > 0 {
      let next = layer == strides.count - 1 ? 1 : self.scale(ofLayer: layer + 1)
      let between = (scale * next).squareRoot()
      let root = interpolatedAspectRatio.squareRoot()
      sizes.append((width: between * root, height: between / root))
    }
    return sizes
  }

  private func scale(ofLayer layer: Int) -> Float {
    guard strides.count > 1 else { return (minimumScale + maximumScale) / 2 }
    return minimumScale + (maximumScale - minimumScale) * Float(layer) / Float(strides.count - 1)
  }
}
