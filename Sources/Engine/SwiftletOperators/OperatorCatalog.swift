package import SwiftletEngine
package import SwiftletSchema

/// The operators of the engine, one line each, sorted by name within a family. Operators that a program adds to a model
/// are of type `AddedOperator`.
///
/// The catalog is a switch over types instead of a table. A table would create the identities of all operators before
/// the first model is loaded, which takes a tenth of the time to load a small model.
package enum OperatorCatalog {
  /// Returns the operator type for `kind`, or `nil` if there is none.
  package static func type(for kind: OperatorKind) -> (any Operator.Type)? {
    switch kind {
    case .builtin(let builtin): builtinType(builtin)
    case .custom(let name): customType(name)
    }
  }

  /// The subgraphs that one operator computes, one line each, in order of precedence.
  ///
  /// Only patterns create `AttentionOperator`, `LayerNormalizationOperator`, `ReplaceNaNOperator`, and `SwishOperator`,
  /// which aren't in the model format.
  package static let patterns: [any OperatorPattern] = [
    PReluPattern(),
    HardSwishPattern(),
    GeluPattern(),
    SwishPattern(),
    LayerNormalizationPattern(),
    AttentionPattern(),
  ]

  private static func builtinType(_ builtin: BuiltinOperator) -> (any Operator.Type)? {
    switch builtin {
    // MARK: Activation
    case .elu: EluOperator.self
    case .gelu: GeluOperator.self
    case .hardSwish: HardSwishOperator.self
    case .leakyRelu: LeakyReluOperator.self
    case .logistic: LogisticOperator.self
    case .prelu: PReluOperator.self
    case .relu0To1: Relu0To1Operator.self
    case .relu6: Relu6Operator.self
    case .reluN1To1: ReluN1To1Operator.self
    case .relu: ReluOperator.self
    case .tanh: TanhOperator.self

    // MARK: Comparison
    case .equal: EqualOperator.self
    case .greaterEqual: GreaterEqualOperator.self
    case .greater: GreaterOperator.self
    case .lessEqual: LessEqualOperator.self
    case .less: LessOperator.self
    case .logicalAnd: LogicalAndOperator.self
    case .logicalNot: LogicalNotOperator.self
    case .logicalOr: LogicalOrOperator.self
    case .notEqual: NotEqualOperator.self
    case .select: SelectOperator.self
    case .selectV2: SelectV2Operator.self

    // MARK: Control
    case .call: CallOperator.self
    case .callOnce: CallOnceOperator.self
    case .stablehloCase: CaseOperator.self
    case .stablehloComposite: CompositeOperator.self
    case .ifElse: IfOperator.self
    case .whileLoop: WhileOperator.self

    // MARK: Convolution
    case .conv2D: Convolution2DOperator.self
    case .conv3D: Convolution3DOperator.self
    case .depthwiseConv2D: DepthwiseConvolution2DOperator.self
    case .transposeConv: TransposeConvolution2DOperator.self
    case .conv3DTranspose: TransposeConvolution3DOperator.self

    // MARK: Detection
    case .nonMaxSuppressionV4: NonMaxSuppressionV4Operator.self
    case .nonMaxSuppressionV5: NonMaxSuppressionV5Operator.self

    // MARK: Elementwise
    case .abs: AbsoluteOperator.self
    case .addN: AddNOperator.self
    case .add: AddOperator.self
    case .atan2: ArcTangent2Operator.self
    case .bitwiseXor: BitwiseXorOperator.self
    case .ceil: CeilOperator.self
    case .cos: CosineOperator.self
    case .div: DivideOperator.self
    case .exp: ExponentialOperator.self
    case .floorDiv: FloorDivideOperator.self
    case .floorMod: FloorModuloOperator.self
    case .floor: FloorOperator.self
    case .log: LogarithmOperator.self
    case .maximum: MaximumOperator.self
    case .minimum: MinimumOperator.self
    case .mul: MultiplyOperator.self
    case .neg: NegateOperator.self
    case .pow: PowerOperator.self
    case .rsqrt: ReciprocalSquareRootOperator.self
    case .rightShift: RightShiftOperator.self
    case .round: RoundOperator.self
    case .sign: SignOperator.self
    case .sin: SineOperator.self
    case .square: SquareOperator.self
    case .sqrt: SquareRootOperator.self
    case .squaredDifference: SquaredDifferenceOperator.self
    case .sub: SubtractOperator.self
    case .zerosLike: ZerosLikeOperator.self

    // MARK: Indexing
    case .bucketize: BucketizeOperator.self
    case .dynamicUpdateSlice: DynamicUpdateSliceOperator.self
    case .embeddingLookup: EmbeddingLookupOperator.self
    case .embeddingLookupSparse: EmbeddingLookupSparseOperator.self
    case .gatherND: GatherNDOperator.self
    case .gather: GatherOperator.self
    case .hashtableLookup: HashtableLookupOperator.self
    case .oneHot: OneHotOperator.self
    case .scatterND: ScatterNDOperator.self
    case .segmentSum: SegmentSumOperator.self
    case .sparseToDense: SparseToDenseOperator.self
    case .topkV2: TopKOperator.self
    case .unique: UniqueOperator.self
    case .unsortedSegmentMax: UnsortedSegmentMaxOperator.self
    case .unsortedSegmentMin: UnsortedSegmentMinOperator.self
    case .unsortedSegmentProd: UnsortedSegmentProdOperator.self
    case .unsortedSegmentSum: UnsortedSegmentSumOperator.self
    case .whereNonzero: WhereOperator.self

    // MARK: Matrix
    case .batchMatMul: BatchMatrixMultiplicationOperator.self
    case .fullyConnected: FullyConnectedOperator.self

    // MARK: Movement
    case .batchToSpaceND: BatchToSpaceNDOperator.self
    case .broadcastTo: BroadcastToOperator.self
    case .concatenation: ConcatenationOperator.self
    case .cumsum: CumsumOperator.self
    case .depthToSpace: DepthToSpaceOperator.self
    case .dilate: DilateOperator.self
    case .fill: FillOperator.self
    case .matrixDiag: MatrixDiagOperator.self
    case .matrixSetDiag: MatrixSetDiagOperator.self
    case .mirrorPad: MirrorPadOperator.self
    case .pack: PackOperator.self
    case .pad: PadOperator.self
    case .padV2: PadV2Operator.self
    case .range: RangeOperator.self
    case .reverseSequence: ReverseSequenceOperator.self
    case .reverseV2: ReverseV2Operator.self
    case .slice: SliceOperator.self
    case .spaceToBatchND: SpaceToBatchNDOperator.self
    case .spaceToDepth: SpaceToDepthOperator.self
    case .split: SplitOperator.self
    case .splitV: SplitVOperator.self
    case .stridedSlice: StridedSliceOperator.self
    case .tile: TileOperator.self
    case .transpose: TransposeOperator.self
    case .unpack: UnpackOperator.self

    // MARK: Normalization
    case .l2Normalization: L2NormalizationOperator.self
    case .localResponseNormalization: LocalResponseNormalizationOperator.self
    case .logSoftmax: LogSoftmaxOperator.self
    case .softmax: SoftmaxOperator.self

    // MARK: Pooling
    case .averagePool2D: AveragePool2DOperator.self
    case .l2Pool2D: L2Pool2DOperator.self
    case .maxPool2D: MaxPool2DOperator.self

    // MARK: Quantization
    case .cast: CastOperator.self
    case .densify: DensifyOperator.self
    case .dequantize: DequantizeOperator.self
    case .fakeQuant: FakeQuantizeOperator.self
    case .quantize: QuantizeOperator.self

    // MARK: Random
    case .multinomial: MultinomialOperator.self
    case .randomStandardNormal: RandomStandardNormalOperator.self
    case .randomUniform: RandomUniformOperator.self

    // MARK: Recurrent
    case .bidirectionalSequenceLSTM: BidirectionalSequenceLSTMOperator.self
    case .bidirectionalSequenceRNN: BidirectionalSequenceRNNOperator.self
    case .lstm: LSTMOperator.self
    case .rnn: RNNOperator.self
    case .svdf: SVDFOperator.self
    case .unidirectionalSequenceLSTM: UnidirectionalSequenceLSTMOperator.self
    case .unidirectionalSequenceRNN: UnidirectionalSequenceRNNOperator.self

    // MARK: Reduction
    case .argMax: ArgMaxOperator.self
    case .argMin: ArgMinOperator.self
    case .mean: MeanOperator.self
    case .reduceAll: ReduceAllOperator.self
    case .reduceAny: ReduceAnyOperator.self
    case .reduceMax: ReduceMaxOperator.self
    case .reduceMin: ReduceMinOperator.self
    case .reduceProd: ReduceProdOperator.self
    case .reduceWindow: ReduceWindowOperator.self
    case .sum: SumOperator.self

    // MARK: Resize
    case .resizeBilinear: ResizeBilinearOperator.self
    case .resizeNearestNeighbor: ResizeNearestNeighborOperator.self

    // MARK: Shape
    case .bitcast: BitcastOperator.self
    case .broadcastArgs: BroadcastArgsOperator.self
    case .expandDims: ExpandDimsOperator.self
    case .rank: RankOperator.self
    case .reshape: ReshapeOperator.self
    case .shape: ShapeOperator.self
    case .squeeze: SqueezeOperator.self

    // MARK: Signal
    case .complexAbs: ComplexMagnitudeOperator.self
    case .imag: ImaginaryPartOperator.self
    case .rfft2D: RealFourierTransform2DOperator.self
    case .real: RealPartOperator.self

    // MARK: StableHLO
    case .stablehloAdd: StableHLOAddOperator.self
    case .stablehloAnd: StableHLOAndOperator.self
    case .stablehloGather: StableHLOGatherOperator.self
    case .stablehloMaximum: StableHLOMaximumOperator.self
    case .stablehloMinimum: StableHLOMinimumOperator.self
    case .stablehloMultiply: StableHLOMultiplyOperator.self
    case .stablehloPad: StableHLOPadOperator.self
    case .stablehloRngBitGenerator: StableHLORandomBitsOperator.self
    case .stablehloReduceWindow: StableHLOReduceWindowOperator.self
    case .stablehloScatter: StableHLOScatterOperator.self
    case .stablehloShiftLeft: StableHLOShiftLeftOperator.self

    // MARK: State
    case .assignVariable: AssignVariableOperator.self
    case .hashtable: HashTableHandleOperator.self
    case .hashtableFind: HashTableFindOperator.self
    case .hashtableImport: HashTableImportOperator.self
    case .hashtableSize: HashTableSizeOperator.self
    case .readVariable: ReadVariableOperator.self
    case .varHandle: VarHandleOperator.self

    // MARK: Text
    case .lshProjection: LSHProjectionOperator.self
    case .skipGram: SkipGramOperator.self

    default: nil
    }
  }

  private static func customType(_ name: String) -> (any Operator.Type)? {
    switch name {
    case "AudioSpectrogram": AudioSpectrogramOperator.self
    case "Convolution2DTransposeBias": Convolution2DTransposeBiasOperator.self
    case "KmeansEmbeddingLookup": KmeansEmbeddingLookupOperator.self
    case "Landmarks2TransformMatrix": LandmarksToTransformMatrixOperator.self
    case "MaxPoolingWithArgmax2D": MaxPoolingWithArgmax2DOperator.self
    case "MaxUnpooling2D": MaxUnpooling2DOperator.self
    case "Mfcc": CepstralCoefficientsOperator.self
    case "NGramHash": NGramHashOperator.self
    case "Resampler": ResamplerOperator.self
    case "TFLite_Detection_PostProcess": DetectionPostProcessOperator.self
    case "TransformLandmarks": TransformLandmarksOperator.self
    case "TransformTensorBilinear": TransformTensorBilinearOperator.self
    case "aeq.hadamard_rotation": HadamardRotationOperator.self
    default: nil
    }
  }
}
