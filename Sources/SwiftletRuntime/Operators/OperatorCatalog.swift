package import SwiftletSchema

/// Every operator the engine has, one line each, sorted by name within a family.
package enum OperatorCatalog {
  /// The operator type for `kind`, or `nil` when there is none.
  package static func type(for kind: OperatorKind) -> (any Operator.Type)? { byKind[kind] }

  private static let byKind: [OperatorKind: any Operator.Type] = Dictionary(
    all.map { ($0.identity.kind, $0) }, uniquingKeysWith: { first, _ in first })

  package static let all: [any Operator.Type] = [
    // MARK: Activation
    EluOperator.self,
    GeluOperator.self,
    HardSwishOperator.self,
    LeakyReluOperator.self,
    LogisticOperator.self,
    PReluOperator.self,
    Relu0To1Operator.self,
    Relu6Operator.self,
    ReluN1To1Operator.self,
    ReluOperator.self,
    TanhOperator.self,

    // MARK: Comparison
    EqualOperator.self,
    GreaterEqualOperator.self,
    GreaterOperator.self,
    LessEqualOperator.self,
    LessOperator.self,
    LogicalAndOperator.self,
    LogicalNotOperator.self,
    LogicalOrOperator.self,
    NotEqualOperator.self,
    SelectOperator.self,
    SelectV2Operator.self,

    // MARK: Control
    CallOnceOperator.self,
    CaseOperator.self,
    CompositeOperator.self,
    IfOperator.self,
    WhileOperator.self,

    // MARK: Convolution
    Convolution2DOperator.self,
    Convolution3DOperator.self,
    DepthwiseConvolution2DOperator.self,
    TransposeConvolution2DOperator.self,
    TransposeConvolution3DOperator.self,

    // MARK: Custom
    Convolution2DTransposeBiasOperator.self,
    LandmarksToTransformMatrixOperator.self,
    MaxPoolingWithArgmax2DOperator.self,
    MaxUnpooling2DOperator.self,
    ResamplerOperator.self,
    TransformLandmarksOperator.self,
    TransformTensorBilinearOperator.self,

    // MARK: Detection
    DetectionPostProcessOperator.self,
    NonMaxSuppressionV4Operator.self,
    NonMaxSuppressionV5Operator.self,

    // MARK: Elementwise
    AbsoluteOperator.self,
    AddNOperator.self,
    AddOperator.self,
    ArcTangent2Operator.self,
    BitwiseXorOperator.self,
    CeilOperator.self,
    CosineOperator.self,
    DivideOperator.self,
    ExponentialOperator.self,
    FloorDivideOperator.self,
    FloorModuloOperator.self,
    FloorOperator.self,
    LogarithmOperator.self,
    MaximumOperator.self,
    MinimumOperator.self,
    MultiplyOperator.self,
    NegateOperator.self,
    PowerOperator.self,
    ReciprocalSquareRootOperator.self,
    RightShiftOperator.self,
    RoundOperator.self,
    SignOperator.self,
    SineOperator.self,
    SquareOperator.self,
    SquareRootOperator.self,
    SquaredDifferenceOperator.self,
    SubtractOperator.self,
    ZerosLikeOperator.self,

    // MARK: Indexing
    BucketizeOperator.self,
    DynamicUpdateSliceOperator.self,
    EmbeddingLookupOperator.self,
    GatherNDOperator.self,
    GatherOperator.self,
    HashtableLookupOperator.self,
    OneHotOperator.self,
    ScatterNDOperator.self,
    SegmentSumOperator.self,
    SparseToDenseOperator.self,
    TopKOperator.self,
    UniqueOperator.self,
    UnsortedSegmentMaxOperator.self,
    UnsortedSegmentMinOperator.self,
    UnsortedSegmentProdOperator.self,
    UnsortedSegmentSumOperator.self,
    WhereOperator.self,

    // MARK: Matrix
    BatchMatrixMultiplicationOperator.self,
    FullyConnectedOperator.self,

    // MARK: Movement
    BatchToSpaceNDOperator.self,
    BroadcastToOperator.self,
    ConcatenationOperator.self,
    CumsumOperator.self,
    DepthToSpaceOperator.self,
    FillOperator.self,
    MatrixDiagOperator.self,
    MatrixSetDiagOperator.self,
    MirrorPadOperator.self,
    PackOperator.self,
    PadOperator.self,
    PadV2Operator.self,
    RangeOperator.self,
    ReverseSequenceOperator.self,
    ReverseV2Operator.self,
    SliceOperator.self,
    SpaceToBatchNDOperator.self,
    SpaceToDepthOperator.self,
    SplitOperator.self,
    SplitVOperator.self,
    StridedSliceOperator.self,
    TileOperator.self,
    TransposeOperator.self,
    UnpackOperator.self,

    // MARK: Normalization
    L2NormalizationOperator.self,
    LocalResponseNormalizationOperator.self,
    LogSoftmaxOperator.self,
    SoftmaxOperator.self,

    // MARK: Pooling
    AveragePool2DOperator.self,
    L2Pool2DOperator.self,
    MaxPool2DOperator.self,

    // MARK: Quantization
    CastOperator.self,
    DequantizeOperator.self,
    QuantizeOperator.self,

    // MARK: Recurrent
    BidirectionalSequenceLSTMOperator.self,
    BidirectionalSequenceRNNOperator.self,
    LSTMOperator.self,
    RNNOperator.self,
    SVDFOperator.self,
    UnidirectionalSequenceLSTMOperator.self,
    UnidirectionalSequenceRNNOperator.self,

    // MARK: Reduction
    ArgMaxOperator.self,
    ArgMinOperator.self,
    MeanOperator.self,
    ReduceAllOperator.self,
    ReduceAnyOperator.self,
    ReduceMaxOperator.self,
    ReduceMinOperator.self,
    ReduceProdOperator.self,
    SumOperator.self,

    // MARK: Resize
    ResizeBilinearOperator.self,
    ResizeNearestNeighborOperator.self,

    // MARK: Shape
    BitcastOperator.self,
    BroadcastArgsOperator.self,
    ExpandDimsOperator.self,
    RankOperator.self,
    ReshapeOperator.self,
    ShapeOperator.self,
    SqueezeOperator.self,

    // MARK: State
    AssignVariableOperator.self,
    ReadVariableOperator.self,
    VarHandleOperator.self,
  ]
}
