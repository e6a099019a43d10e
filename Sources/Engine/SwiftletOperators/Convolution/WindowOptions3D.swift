import SwiftletEngine
import SwiftletSchema

/// The options of the convolutions over three axes: depth, height, width.
struct WindowOptions3D: Sendable {
  let padding: WindowPadding
  let strides: [Int]
  let dilations: [Int]
  var activation: FusedActivation

  private static let names = ["depth", "height", "width"]

  init(parsing node: NodeReader) throws {
    padding = try WindowPadding(node, field: Conv3DOptions.padding)
    strides = [
      try node.options[Conv3DOptions.strideDepth], try node.options[Conv3DOptions.strideHeight],
      try node.options[Conv3DOptions.strideWidth],
    ]
    dilations = [
      try node.options[Conv3DOptions.dilationDepth], try node.options[Conv3DOptions.dilationHeight],
      try node.options[Conv3DOptions.dilationWidth],
    ]
    activation = try FusedActivation(node, field: Conv3DOptions.fusedActivation)
  }

  /// The window along axis 0 (depth) to 2 (width).
  func axis(_ index: Int, _ node: NodeView, inputSize: Int, windowSize: Int) throws -> WindowAxis {
    try WindowAxis(
      node, Self.names[index], inputSize: inputSize, windowSize: windowSize, stride: strides[index],
      dilation: dilations[index], padding: padding)
  }
}
