/// All kinds of option tables that have fields, for code that handles any operator.
package enum OptionSchemas {
  /// The fields of the table with this tag; none for a table without fields or an unknown one.
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
