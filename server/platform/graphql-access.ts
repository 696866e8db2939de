import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from './context.ts';
import { type Access, authorize } from './operation.ts';

/** Name under which the plugin is given to the builder. */
export const accessPlugin = 'access';

/**
 * Field option `access`: who may read this field, on top of who may read its parent. Needed by every relation
 * that shows another resource's records; the same check as that resource's own list, so it fails as `forbidden`.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const { access } = fieldConfig.pothosOptions;
    if (access === undefined) return resolver;
    return (parent, args, ctx, info) => {
      authorize({ access }, contextOf(ctx));
      return resolver(parent, args, ctx, info);
    };
  }
}

/** A plugin is written for any schema; ours has one context. */
function contextOf(ctx: object): Context {
  return ctx as Context;
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }

    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** Scope that reading this field needs. Such a field is nullable: without the scope the rest still arrives. */
      access?: Access;
    }
  }
}

SchemaBuilder.registerPlugin(accessPlugin, AccessPlugin);
