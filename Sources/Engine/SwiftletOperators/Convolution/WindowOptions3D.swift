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
    padding = try WindowPadding(node, field: 0)
    strides = [try node.options.int(1), try node.options.int(3), try node.options.int(2)]
    dilations = [
      try node.options.int(5, default: 1), try node.options.int(7, default: 1), try node.options.int(6, default: 1),
    ]
    activation = try FusedActivation(node, field: 4)
  }

  /// The window along axis 0 (depth) to 2 (width).
  func axis(_ index: Int, _ node: NodeView, inputSize: Int, windowSize: Int) throws -> WindowAxis {
    try WindowAxis(
      node, Self.names[index], inputSize: inputSize, windowSize: windowSize, stride: strides[index],
      dilation: dilations[index], padding: padding)
  }
}
