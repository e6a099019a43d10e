import SwiftletBase

/// The schema of one kind of option table: its tag and its fields.
///
/// There is one conforming type per kind of table that has fields. Code that reads options
/// (`options[Conv2DOptions.strideWidth]`) and code that writes options use the names of these types. Types and fields
/// have the schema's names, spelled out.
///
/// - Source: the option tables of the TFLite schema, revision 3d.
package protocol OptionSchema: Sendable {
  /// The tag of the table, as in `OptionsTable.tag`.
  static var tag: Int { get }
  /// All fields in field number order.
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

/// All kinds of option tables that have fields, for code that handles any operator.
package enum OptionSchemas {
  /// Returns the fields of the table with this tag; empty for a table without fields or an unknown tag.
  package static func fields(ofTable tag: Int) -> [OptionDefinition] { all.first { $0.tag == tag }?.fields ?? [] }

  /// The option tables, in the order of the schema's two options unions.
  package static let all: [any OptionSchema.Type] = [
    Conv2DOptions.self, DepthwiseConv2DOptions.self, ConcatEmbeddingsOptions.self, LSHProjectionOptions.self,
    Pool2DOptions.self, SVDFOptions.self, RNNOptions.self, FullyConnectedOptions.self, SoftmaxOptions.self,
    ConcatenationOptions.self, AddOptions.self, L2NormOptions.self, LocalResponseNormalizationOptions.self,
    LSTMOptions.self, ResizeBilinearOptions.self, CallOptions.self, ReshapeOptions.self, SkipGramOptions.self,
    SpaceToDepthOptions.self, EmbeddingLookupSparseOptions.self, MulOptions.self, GatherOptions.self,
    ReducerOptions.self, SubOptions.self, DivOptions.self, SqueezeOptions.self, SequenceRNNOptions.self,
    StridedSliceOptions.self, SplitOptions.self, CastOptions.self, ArgMaxOptions.self, TransposeConvOptions.self,
    SparseToDenseOptions.self, ShapeOptions.self, ArgMinOptions.self, FakeQuantOptions.self, PackOptions.self,
    OneHotOptions.self, UnpackOptions.self, BidirectionalSequenceLSTMOptions.self,
    BidirectionalSequenceRNNOptions.self, UnidirectionalSequenceLSTMOptions.self, ResizeNearestNeighborOptions.self,
    LeakyReluOptions.self, MirrorPadOptions.self, SplitVOptions.self, UniqueOptions.self, ReverseSequenceOptions.self,
    IfOptions.self, WhileOptions.self, DepthToSpaceOptions.self, BatchMatMulOptions.self, CumsumOptions.self,
    CallOnceOptions.self, Conv3DOptions.self, HashtableOptions.self, VarHandleOptions.self, RandomOptions.self,
    BucketizeOptions.self, GeluOptions.self, StableHLOConcatenateOptions.self, StableHLOBroadcastInDimOptions.self,
    StableHLOSliceOptions.self, StableHLOConvolutionOptions.self, StableHLOCustomCallOptions.self,
    StableHLOReduceOptions.self, StableHLOScatterOptions.self, StableHLOCompareOptions.self,
    StableHLODynamicSliceOptions.self, StableHLOPadOptions.self, StableHLOIotaOptions.self,
    StableHLODotGeneralOptions.self, StableHLOReduceWindowOptions.self, StableHLOSortOptions.self,
    StableHLOWhileOptions.self, StableHLOGatherOptions.self, StableHLOTransposeOptions.self,
    StableHLORngBitGeneratorOptions.self, ReduceWindowOptions.self, StableHLOCompositeOptions.self,
    StableHLOCaseOptions.self,
  ]
}

/// A field of an operator's options: its name in the table, its storage, and its default value.
///
/// `Value` is the type of the field's value. For an enumeration member it is the enumeration, although a file may store
/// any number.
package struct OptionField<Value>: Sendable {
  package let definition: OptionDefinition

  package init(_ number: Int, _ name: StaticString, _ storage: OptionStorage) {
    definition = OptionDefinition(number: number, name: name, storage: storage)
  }
}

/// A field without its value type, for code that iterates over all fields of a table.
///
/// All members are constant, so that fields need neither memory nor an initializer.
package struct OptionDefinition: Sendable {
  /// The field number in its table.
  package let number: Int
  /// The field name in the schema.
  package let name: StaticString
  package let storage: OptionStorage
}

/// The storage of a field, with its default if the default isn't 0, `false`, or empty.
package enum OptionStorage: Sendable {
  case bool(default: Bool)
  /// A 32-bit integer.
  case int(default: Int)
  /// A 64-bit integer.
  case long
  case float
  case string
  case ints, longs, floats, bools
  /// FlexBuffer values.
  case flexible
  /// An element type in one byte.
  case elementType(default: ElementType)
  /// The element type of a bias in one byte; 0 means that the operator decides.
  case biasType
  /// An enumeration member. The string contains the schema names of the members in the order of their numbers.
  case byteCode(StaticString), intCode(StaticString), uintCode(StaticString)
  /// One or more subgraph indices.
  case subgraph(isSigned: Bool), subgraphs
  /// A deprecated field of the schema that readers ignore.
  case unused
}
