import SwiftletBase

/// What the model format says of one kind of option table: its number and its fields.
///
/// There is a type for each kind that has fields. Code that reads options (`options[Conv2DOptions.strideWidth]`) and
/// code that writes them use its names. Types and fields have the schema's names, spelled out.
///
/// - Source: the option tables of the TFLite schema, revision 3d.
package protocol OptionSchema: Sendable {
  /// The number of the kind, as `OptionsTable.tag` counts it.
  static var tag: Int { get }
  /// All fields in the order of their numbers.
  static var fields: [OptionDefinition] { get }
}

// MARK: - Fields by the schema's types

extension OptionField<Bool> {
  static func bool(_ number: Int, _ name: StaticString, default value: Bool = false) -> Self {
    .init(number, name, .bool(default: value))
  }
}

extension OptionField<Int> {
  static func int(_ number: Int, _ name: StaticString, default value: Int = 0) -> Self {
    .init(number, name, .int(default: value))
  }

  static func long(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .long) }

  static func subgraph(_ number: Int, _ name: StaticString, isSigned: Bool = true) -> Self {
    .init(number, name, .subgraph(isSigned: isSigned))
  }

  static func unused(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .unused) }
}

extension OptionField<Float> {
  static func float(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .float) }
}

extension OptionField<String> {
  static func string(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .string) }
}

extension OptionField<[Int]> {
  static func ints(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .ints) }
  static func longs(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .longs) }
  static func subgraphs(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .subgraphs) }
}

extension OptionField<[Float]> {
  static func floats(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .floats) }
}

extension OptionField<[Bool]> {
  static func bools(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .bools) }
}

extension OptionField<ByteRegion> {
  static func flexible(_ number: Int, _ name: StaticString) -> Self { .init(number, name, .flexible) }
}

extension OptionField<ElementType> {
  static func elementType(_ number: Int, _ name: StaticString, default value: ElementType = .float32) -> Self {
    .init(number, name, .elementType(default: value))
  }

  static func biasType(_ number: Int) -> Self { .init(number, "quantized_bias_type", .biasType) }
}

extension OptionField<WindowPadding> {
  static func padding(_ number: Int) -> Self { .init(number, "padding", .byteCode("SAME VALID")) }
}

extension OptionField<FusedActivation> {
  static func activation(_ number: Int) -> Self {
    .init(number, "fused_activation_function", .byteCode("NONE RELU RELU_N1_TO_1 RELU6 TANH SIGN_BIT"))
  }
}
