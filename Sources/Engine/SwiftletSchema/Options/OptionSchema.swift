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

/// All kinds of option tables that have fields, for code that handles any operator.
package enum OptionSchemas {
  /// Returns the fields of the table with this tag; none for a table without fields or an unknown one.
  package static func fields(ofTable tag: Int) -> [OptionDefinition] { all.first { $0.tag == tag }?.fields ?? [] }

  /// In the order of the schema's two unions of options.
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

/// A field of an operator's options: what its table calls it, how it is stored and what it is when it is left out.
///
/// `Value` is what the field says. For a member of an enumeration it is the enumeration, though a file may hold any
/// number there.
package struct OptionField<Value>: Sendable {
  package let definition: OptionDefinition

  package init(_ number: Int, _ name: StaticString, _ storage: OptionStorage) {
    definition = OptionDefinition(number: number, name: name, storage: storage)
  }
}

/// A field without the type of its values, for code that goes over all fields of a table.
///
/// All of it is constant, so that fields need neither memory nor an initializer.
package struct OptionDefinition: Sendable {
  /// The field's number in its table.
  package let number: Int
  /// The schema's name.
  package let name: StaticString
  package let storage: OptionStorage
}

/// How a field is stored, with the default of those that have another than 0, `false` or nothing.
package enum OptionStorage: Sendable {
  case bool(default: Bool)
  /// 32 bits.
  case int(default: Int)
  /// 64 bits.
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
  /// A member of an enumeration, whose schema names stand here in the order of their numbers.
  case byteCode(StaticString), intCode(StaticString), uintCode(StaticString)
  /// The number of a subgraph, or of several.
  case subgraph(isSigned: Bool), subgraphs
  /// A field of the schema that readers ignore.
  case unused
}
