import SwiftletFlatBuffers
package import SwiftletSchema

/// What the model file says about one node of an added operator.
public struct CustomOperatorOptions: Sendable {
  /// The operator's name in the model.
  public let name: String
  /// The version that the model asks for, one of those registered.
  public let version: Int
  /// The number of inputs, absent ones included, and of outputs.
  public let inputCount: Int
  /// How many outputs the node has.
  public let outputCount: Int
  /// The options as the model stores them. Most writers keep a FlexBuffer map there, which the other members read; some
  /// keep a structure of their own.
  public let bytes: [UInt8]
  private let values: FlexBufferValue

  package init(_ description: OperatorDescription) {
    name = description.code.kind.name
    version = description.code.version
    inputCount = description.inputs.count
    outputCount = description.outputs.count
    bytes = [UInt8](description.customOptions.bytes)
    // Bytes that are no FlexBuffer are the operator's own affair.
    values = (try? description.customOptionValues()) ?? .null
  }

  /// The whole number of an option; `nil` when the map has no such key.
  public func integer(_ key: String) -> Int? { value(key)?.intValue }

  /// The real number of an option; `nil` when the map has no such key.
  public func number(_ key: String) -> Float? { value(key)?.floatValue }

  /// The truth of an option; `nil` when the map has no such key.
  public func boolean(_ key: String) -> Bool? { value(key)?.boolValue }

  /// The whole numbers of an option that is a vector; `nil` when the map has no such key.
  public func integers(_ key: String) -> [Int]? { value(key)?.elements.map(\.intValue) }

  /// The real numbers of an option that is a vector; `nil` when the map has no such key.
  public func numbers(_ key: String) -> [Float]? { value(key)?.elements.map(\.floatValue) }

  private func value(_ key: String) -> FlexBufferValue? {
    let value = values[key]
    return value.isNull ? nil : value
  }
}
